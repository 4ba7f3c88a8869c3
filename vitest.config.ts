import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'migrations/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'],
    // Long, so that a busy machine fails nothing; what hangs is seen all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // A file leaves nothing behind in its process, so the program is read once for each worker and not once for each file.
    isolate: false,
  },
});
