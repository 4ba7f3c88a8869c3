import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Long, so that a busy machine fails nothing; what hangs is seen all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // They leave nothing behind in their process: one process reads the program once, not once for each file.
        test: { name: 'src', include: ['src/**/*.test.ts', 'migrations/**/*.test.ts'], isolate: false },
      },
      { extends: true, test: { name: 'whole', include: ['scripts/**/*.test.ts', 'test/**/*.test.ts'] } },
    ],
  },
});
