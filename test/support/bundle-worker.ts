import { mkdirSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** Where `workerEntry` finds the bundle in tests; the folder is inside the project, so that packages resolve. */
export const WORKER_FILE = resolve(root, '.cache/test-worker.mjs');

/**
 * Bundles the worker once for each test run. A worker that reads TypeScript strips its types with WebAssembly, and V8
 * aborts when such workers end in a long-lived process: `WasmImportWrapperCache` frees a wrapper twice.
 */
export default async function bundleWorker(): Promise<void> {
  const draft = `${WORKER_FILE}.${process.pid}`;
  mkdirSync(dirname(WORKER_FILE), { recursive: true });
  await build({
    entryPoints: [resolve(root, 'src/jobs/worker-main.ts')],
    outfile: draft,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    logLevel: 'warning',
  });
  // Another test run may be loading the file.
  renameSync(draft, WORKER_FILE);
}
