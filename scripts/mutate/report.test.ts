import { expect, it } from 'vitest';
import { mutantsOf } from './mutants.ts';
import { killedPercent, mutationPage } from './report.ts';

const mutants = mutantsOf('f = a || b;\ng = a < b;');
const results = [
  { file: 'src/one.ts', mutants, survivors: mutants.slice(0, 1) },
  { file: 'src/two.ts', mutants: mutants.concat(mutants), survivors: [] },
];

it('the page names the share of each file and of all, and the survivors', () => {
  const page = mutationPage(results);
  expect(page).toContain('| `src/one.ts` | 2 | 1 | 50 % |');
  expect(page).toContain('| `src/two.ts` | 4 | 4 | 100 % |');
  expect(page).toContain('**83.3 % of the mutants are killed');
  expect(page).toContain('| `src/one.ts:1` | `a \\|\\| b → a && b` |');
  expect(killedPercent([])).toBe(100);
});
