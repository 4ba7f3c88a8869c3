import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, type BuildResult, build, type Metafile } from 'esbuild';
import { packagesIn } from './bundled-packages.ts';

/** The web page in `dist/parts/web.json`; `src/app/web-files.ts` reads it. */
export interface BundledWeb {
  /** HTML; `{{base}}` is where the server's base path belongs. */
  page: string;
  /** By file name, which contains a hash of the content. Contents are base64. */
  files: Record<string, { type: string; content: string; brotli: string }>;
}

export interface WebBundle {
  web: BundledWeb;
  /** Folders of the packages with code in the output, as in the lockfile. */
  packages: string[];
}

const root = resolve(import.meta.dirname, '../..');
const sources = join(root, 'src/web');
const ENTRY = 'src/web/main.tsx';
const GRAPH_WORKER = 'src/web/graph-worker/main.ts';

/** Scripts and styles of the page under hashed names; a view that is loaded on demand is a separate file. */
export const WEB_OPTIONS = {
  entryPoints: { main: join(root, ENTRY), 'graph-worker': join(root, GRAPH_WORKER) },
  outdir: join(root, 'dist/web'),
  absWorkingDir: root,
  bundle: true,
  write: false,
  splitting: true,
  metafile: true,
  platform: 'browser',
  format: 'esm',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const satisfies BuildOptions;

export async function bundleWeb(): Promise<WebBundle> {
  const result = await build(WEB_OPTIONS);
  return { web: toBundledWeb(result), packages: packagesIn(result.metafile) };
}

/** @param quality of the brotli compression; the highest one takes a second */
export function toBundledWeb(
  result: BuildResult<{ write: false; metafile: true }>,
  quality: number = constants.BROTLI_MAX_QUALITY,
): BundledWeb {
  const outputs = Object.entries(result.metafile.outputs);
  const [script, main] = outputs.find(([, { entryPoint }]) => entryPoint === ENTRY) ?? [];
  const [graphWorker] = outputs.find(([, { entryPoint }]) => entryPoint === GRAPH_WORKER) ?? [];
  if (script === undefined || main?.cssBundle === undefined) throw new Error(`${ENTRY} gave no script or no styles`);
  if (graphWorker === undefined) throw new Error(`${GRAPH_WORKER} gave no script`);
  // The styles of the entry contain those of every view (style/all.css), so that a view never appears without its own.
  const unusedBundles = outputs.flatMap(([, { cssBundle }]) =>
    cssBundle && cssBundle !== main.cssBundle ? [cssBundle] : [],
  );
  const files: BundledWeb['files'] = {};
  for (const { path, contents } of result.outputFiles) {
    const name = basename(path);
    if (!unusedBundles.some((one) => basename(one) === name)) files[name] = toFile(name, contents, quality);
  }
  const iconText = readFileSync(join(sources, 'icon.svg'));
  const icon = `icon-${createHash('sha256').update(iconText).digest('hex').slice(0, 8)}.svg`;
  files[icon] = toFile(icon, iconText, quality);
  const preloads = staticImports(result.metafile, script).map((path) => basename(path));
  const names = {
    script: basename(script),
    styles: basename(main.cssBundle),
    icon,
    graphWorker: basename(graphWorker),
  };
  return { page: pageOf(names, preloads), files };
}

/** The chunks that a script needs before it runs. */
function staticImports({ outputs }: Metafile, script: string, seen: Set<string> = new Set()): string[] {
  for (const { path, kind } of outputs[script]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(path)) continue;
    seen.add(path);
    staticImports({ inputs: {}, outputs }, path, seen);
  }
  return [...seen];
}

/** @param preloads names of scripts that the browser fetches together with the first one */
function pageOf(names: Record<'script' | 'styles' | 'icon' | 'graphWorker', string>, preloads: string[]): string {
  const address = (name: string) => `{{base}}/ui/assets/${name}`;
  const links = preloads.map((name) => `<link rel="modulepreload" href="${address(name)}">\n`).join('');
  return readFileSync(join(sources, 'page.html'), 'utf8').replace(/\{\{(\w+)\}\}\n?/g, (whole, name: string) => {
    if (name === 'preloads') return links;
    const end = whole.endsWith('\n') ? '\n' : '';
    return (name === 'docs' ? '{{base}}/docs' : address(names[name as keyof typeof names])) + end;
  });
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

function toFile(name: string, contents: Uint8Array, quality: number): BundledWeb['files'][string] {
  const type = TYPES[name.split('.').at(-1) as string];
  if (type === undefined) throw new Error(`${name}: unknown file type`);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return {
    type,
    content: Buffer.from(contents).toString('base64'),
    brotli: brotliCompressSync(contents, { params }).toString('base64'),
  };
}
