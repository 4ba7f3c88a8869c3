import { expect, test } from 'vitest';
import { worstFirst } from './worst-first.ts';

test('the workflow with the lowest score is first, one without a score last', () => {
  const sorted = worstFirst([
    { name: 'not scored', average_score: null, open_issues: 3 },
    { name: 'good', average_score: 98, open_issues: 0 },
    { name: 'equal', average_score: 47, open_issues: 1 },
    { name: 'worst', average_score: 47, open_issues: 2 },
    { name: 'fair', average_score: 62.5, open_issues: 1 },
  ]);
  expect(sorted.map(({ name }) => name)).toEqual(['worst', 'equal', 'fair', 'good', 'not scored']);
});
