import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { toPlainAscii } from './plain-ascii.ts';

export interface Bundles {
  /** The hot path: what starts on every call. */
  entry: string;
  /** The decoders, for what is sent to a server and is no hook's call. A part: `(require, module, exports) => {…}`. */
  decoders: string;
  /** Everything else, a part as well. */
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
  const [entry, decoders, rest, worker] = await Promise.all([
    textOf({ ...common, entryPoints: [join(root, 'bin/misstep.ts')], plugins: [embedded] }),
    partOf({ ...common, entryPoints: [join(root, 'src/cli/ingest/convert-to-otlp.ts')] }),
    partOf({ ...common, entryPoints: [join(root, 'src/cli/main.ts')] }),
    textOf({ ...common, entryPoints: [join(root, 'src/jobs/worker-main.ts')] }),
  ]);
  return { entry, decoders, rest, worker };
}

/** One function expression, to which the loader gives what a module has. */
async function partOf(options: BuildOptions): Promise<string> {
  return `(function (require, module, exports) {${await textOf(options)}\n})`;
}

async function textOf(options: BuildOptions): Promise<string> {
  const result = await build(options);
  const [file] = result.outputFiles ?? [];
  if (!file) throw new Error('esbuild gave no output');
  return toPlainAscii(file.text);
}

/** What the entry loads from parts that lie beside it in the executable. */
const EMBEDDED: Readonly<Record<string, string>> = {
  'load-main.ts': 'bin/load-embedded-main.ts',
  'convert-to-otlp.ts': 'bin/embedded-convert-to-otlp.ts',
};

const embedded: Plugin = {
  name: 'embedded',
  setup(setup) {
    setup.onResolve({ filter: /\/(?:load-main|convert-to-otlp)\.ts$/ }, ({ path }) => ({
      path: join(root, EMBEDDED[basename(path)] as string),
    }));
  },
};
