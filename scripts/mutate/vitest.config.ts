import { defineConfig } from 'vitest/config';
import { applyMutant, mutantsOf } from './mutants.ts';
import { mutation } from './mutation.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 1,
    // The cache identifies files by their stored text, which a mutant does not change.
    fsModuleCache: false,
  },
  plugins: [
    {
      name: 'mutate',
      enforce: 'pre',
      transform(code, id) {
        if (id.split('?')[0] !== mutation.path) return null;
        const mutant = mutantsOf(code)[mutation.index];
        return mutant === undefined ? null : { code: applyMutant(code, mutant), map: null };
      },
    },
  ],
});
