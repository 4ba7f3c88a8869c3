import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { packagesIn } from './bundled-packages.ts';
import { toPlainAscii } from './plain-ascii.ts';

/**
 * Each is one function expression, `(require, module, exports) => {…}`, and has its own code cache.
 * `hot`: code for hooks. `decoders`: code for other bodies that are sent to a server. `rest`: everything else.
 */
export const PART_NAMES = ['hot', 'decoders', 'rest'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface Bundles {
  /** The entry that Node starts; it loads a part. */
  entry: string;
  parts: Readonly<Record<PartName, string>>;
  /** The analysis worker, started from text. */
  worker: string;
  /** Folders of the packages with code in the outputs, as in the lockfile, sorted. */
  packages: string[];
}

/** Text of one output, and the folders of the packages whose code it contains. */
interface Output {
  text: string;
  packages: string[];
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
    // A part is compiled as a script, which may not import: `import('node:tls')` becomes a `require` when it is called.
    supported: { 'dynamic-import': false },
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: false,
    legalComments: 'none',
    logLevel: 'warning',
    // Its UMD build loads its parts through a `require` that bundlers cannot resolve.
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
    define: {
      MISSTEP_VERSION: JSON.stringify(version),
      MISSTEP_IS_EXECUTABLE: 'true',
      'import.meta.url': '"file:///misstep"',
      'process.env.NODE_ENV': '"production"',
    },
  };
  const [entry, hot, decoders, rest, worker] = await Promise.all([
    outputOf({ ...common, entryPoints: [join(root, 'bin/misstep.ts')], plugins: [embedded] }),
    partOf({ ...common, entryPoints: [join(root, 'src/cli/hot-path.ts')], plugins: [embedded] }),
    partOf({ ...common, entryPoints: [join(root, 'src/cli/ingest/convert-to-otlp.ts')] }),
    partOf({ ...common, entryPoints: [join(root, 'src/cli/main.ts')] }),
    outputOf({ ...common, entryPoints: [join(root, 'src/jobs/worker-main.ts')] }),
  ]);
  const packages = [entry, hot, decoders, rest, worker].flatMap((output) => output.packages);
  return {
    entry: entry.text,
    parts: { hot: hot.text, decoders: decoders.text, rest: rest.text },
    worker: worker.text,
    packages: [...new Set(packages)].sort(),
  };
}

/** One function expression; the loader passes `require`, `module` and `exports`. */
async function partOf(options: BuildOptions): Promise<Output> {
  const { text, packages } = await outputOf(options);
  return { text: `(function (require, module, exports) {${text}\n})`, packages };
}

async function outputOf(options: BuildOptions): Promise<Output> {
  const result = await build({ ...options, metafile: true });
  const [file] = result.outputFiles ?? [];
  if (!file) throw new Error('esbuild gave no output');
  return { text: toPlainAscii(file.text), packages: packagesIn(result.metafile) };
}

/** Modules that the executable loads from a part and the sources import. */
const EMBEDDED: Readonly<Record<string, string>> = {
  'hot-path.ts': 'bin/embedded-hot-path.ts',
  'load-main.ts': 'bin/embedded-main.ts',
  'convert-to-otlp.ts': 'bin/embedded-decoders.ts',
};

const embedded: Plugin = {
  name: 'embedded',
  setup(setup) {
    setup.onResolve({ filter: /\/(?:hot-path|load-main|convert-to-otlp)\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? null : { path: join(root, EMBEDDED[basename(path)] as string) },
    );
  },
};
