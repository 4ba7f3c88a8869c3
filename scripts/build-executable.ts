import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { bundle, PART_NAMES, type PartName } from './build/bundle.ts';
import { bundleWeb } from './build/bundle-web.ts';
import { sourceDate, toCycloneDx } from './build/cyclonedx.ts';
import { readExecutableComponents } from './build/executable-components.ts';
import { toNotices } from './build/notices.ts';
import { strippedNode } from './build/pinned-node.ts';

/** Builds `dist/misstep`: Node, the bundled program with its code cache, and SQLite's native addon in one file, and its bill of materials next to it. */
const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const parts = join(dist, 'parts');
const executable = join(dist, 'misstep');
/** Written here and then moved into place: a running program keeps its old file, and an incomplete file is never started. */
const draft = join(parts, 'misstep');
/** Files of `parts` that are embedded in addition to the parts of the program. */
const ASSETS = ['worker.js', 'addon.node', 'addon.json', 'licenses.json', 'web.json'];
/** Keep the heap of a server close to the memory in use, at the cost of more garbage collections. */
const V8_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
const require = createRequire(import.meta.url);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const started = performance.now();
mkdirSync(parts, { recursive: true });

const node = strippedNode(join(root, '.cache'));
const [bundles, { web, packages: webPackages }] = await Promise.all([bundle(version), bundleWeb()]);
const packages = [...new Set([...bundles.packages, ...webPackages])].sort();
const contents = readExecutableComponents(root, packages);
const bom = toCycloneDx(version, contents, sourceDate(process.env));
write('entry.cjs', bundles.entry);
write('worker.js', bundles.worker);
write('web.json', JSON.stringify(web));
for (const part of PART_NAMES) {
  write(`${part}.js`, bundles.parts[part]);
  makeCodeCache(part);
}
writeAddon();
write(
  'licenses.json',
  JSON.stringify(toNotices(version, readFileSync(join(root, 'LICENSE'), 'utf8'), contents.components)),
);
await pack();
const content = readFileSync(draft);
const digest = createHash('sha256').update(content).digest('hex');
rmSync(join(dist, 'misstep.sha256'), { force: true });
renameSync(draft, executable);
writeFileSync(join(dist, 'misstep.sha256'), `${digest}  misstep\n`);
writeFileSync(join(dist, 'misstep.cdx.json'), bom);
const megabytes = Math.round(content.length / 1e6);
console.error(
  `build: dist/misstep ${version}, ${megabytes} MB, ${((performance.now() - started) / 1000).toFixed(1)} s`,
);

function write(name: string, content: string): void {
  writeFileSync(join(parts, name), content);
}

function makeCodeCache(part: PartName): void {
  execFileSync(node, [...V8_FLAGS, join(root, 'scripts/build/make-code-cache.cjs'), part, parts], {
    // Standard input of a hook, passed to the part that reads it.
    input: '{"session_id":"s","hook_event_name":"Stop"}',
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

function writeAddon(): void {
  const file = join(root, 'node_modules/better-sqlite3/prebuilds', `${process.platform}-${process.arch}.node`);
  const content = readFileSync(file);
  const name = `better-sqlite3-${createHash('sha256').update(content).digest('hex').slice(0, 16)}.node`;
  copyFileSync(file, join(parts, 'addon.node'));
  write('addon.json', JSON.stringify({ name, size: content.length }));
}

/**
 * pkg's command line would download a base binary; its packer, called as a module, accepts ours. If a later version of pkg
 * removes it, `node --experimental-sea-config` and `postject` do the same in two steps.
 */
async function pack(): Promise<void> {
  const { default: packSea } = require('@yao-pkg/pkg/lib-es5/sea.js') as { default: PackSea };
  const assets = Object.fromEntries(
    [...PART_NAMES.flatMap((part) => [`${part}.js`, `${part}.cache`]), ...ASSETS].map((name) => [
      name,
      join(parts, name),
    ]),
  );
  rmSync(draft, { force: true });
  await packSea(join(parts, 'entry.cjs'), {
    targets: [
      { nodeRange: `node${process.version.slice(1)}`, platform: pkgPlatform(), arch: process.arch, output: draft },
    ],
    nodePath: node,
    signature: true,
    seaConfig: {
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // V8 rejects a cache that was created with other flags; the parts have their own caches.
      useCodeCache: false,
      execArgv: V8_FLAGS,
      execArgvExtension: 'none',
      assets,
    },
  });
  chmodSync(draft, 0o755);
}

type PackSea = (entry: string, options: object) => Promise<void>;

function pkgPlatform(): string {
  return { darwin: 'macos', win32: 'win' }[process.platform as string] ?? process.platform;
}
