import { defineConfig } from 'vitest/config';
import { WORKER_FILE } from './test/support/bundle-worker.ts';

export default defineConfig({
  define: { MISSTEP_WORKER_FILE: JSON.stringify(WORKER_FILE) },
  test: {
    include: ['src/**/*.test.ts', 'migrations/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/bundle-worker.ts',
    // Long, so that a busy machine fails nothing; what hangs is seen all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // More than the cores of a small machine: many files wait for processes, browsers and sockets.
    maxWorkers: 3,
    // A file leaves nothing behind in its process, so the program is read once for each worker and not once for each file.
    isolate: false,
  },
});
