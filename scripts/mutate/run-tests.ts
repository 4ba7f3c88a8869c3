import { readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { mutantsOf } from './mutants.ts';
import { mutation } from './mutation.ts';

/**
 * Runs the tests of one file against its mutants, from number `first` on, in one vitest. It is a separate process, which
 * `main.ts` ends if a test does not end. Writes a line for each mutant: its number, and `killed` or `survived`.
 */
const [file = '', first = '0', ...tests] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
mutation.path = resolve(root, file);

const vitest = await createVitest({
  root,
  config: resolve(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  reporters: [{}],
  bail: 1,
});
const specifications = await vitest.globTestSpecifications(tests);
if (specifications.length < tests.length) throw new Error(`not every test of ${file} exists: ${tests.join(', ')}`);

async function passes(mutant: number): Promise<boolean> {
  mutation.index = mutant;
  vitest.invalidateFile(mutation.path);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
}

if (!(await passes(-1))) throw new Error(`the tests of ${file} fail without a mutant`);
const count = mutantsOf(readFileSync(mutation.path, 'utf8')).length;
for (let mutant = Number(first); mutant < count; mutant += 1)
  writeSync(1, `\nmutant ${mutant} ${(await passes(mutant)) ? 'survived' : 'killed'}\n`);
await vitest.close();
process.exit(0);
