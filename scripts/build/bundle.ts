import { join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { toPlainAscii } from './plain-ascii.ts';

export interface Bundles {
  /** The hot path: what starts on every call. */
  entry: string;
  /** Everything else, as one function expression `(require, module, exports) => {…}`. */
  rest: string;
  /** The analysis worker, started from text. */
  worker: string;
}

const root = resolve(import.meta.dirname, '../..');

/** Bundles the program to CommonJS; dynamic imports become lazy closures. Text is plain ASCII. */
export async function bundle(version: string): Promise<Bundles> {
  const common: BuildOptions = {
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Its UMD build hides its own parts behind a `require` that no bundler can follow.
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
    define: {
      MISSTEP_VERSION: JSON.stringify(version),
      MISSTEP_IS_EXECUTABLE: 'true',
      'import.meta.url': '"file:///misstep"',
      'process.env.NODE_ENV': '"production"',
    },
  };
  const [entry, rest, worker] = await Promise.all([
    textOf({ ...common, entryPoints: [join(root, 'bin/misstep.ts')], plugins: [embeddedMain] }),
    textOf({ ...common, entryPoints: [join(root, 'src/cli/main.ts')] }),
    textOf({ ...common, entryPoints: [join(root, 'src/jobs/worker-main.ts')] }),
  ]);
  return { entry, rest: `(function (require, module, exports) {${rest}\n})`, worker };
}

async function textOf(options: BuildOptions): Promise<string> {
  const result = await build(options);
  const [file] = result.outputFiles ?? [];
  if (!file) throw new Error('esbuild gave no output');
  return toPlainAscii(file.text);
}

const embeddedMain = {
  name: 'embedded-main',
  setup(setup: Parameters<NonNullable<BuildOptions['plugins']>[number]['setup']>[0]) {
    setup.onResolve({ filter: /\/load-main\.ts$/ }, () => ({ path: join(root, 'bin/load-embedded-main.ts') }));
  },
};
