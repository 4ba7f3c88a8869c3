import { expect, test } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { stepFinder } from './find-steps.ts';
import { isInWindow } from './step-filter.ts';

const columns = toColumns(
  outlineOfSteps([
    { name: 'Run order', kind: 'agent', agent: 'supervisor' },
    { name: 'chat', kind: 'llm', model: 'Model-4o' },
    { name: 'search_orders', agent: 'researcher' },
  ]),
);

test.each([
  ['ORDER', [0, 2]],
  ['llm', [1]],
  ['model-4', [1]],
  ['research', [2]],
  [' search ', [2]],
  ['span-1', [1]],
  ['nothing', []],
])('the search text "%s" finds the steps %j', (text, expected) => {
  const isFound = stepFinder(columns, text);
  expect([0, 1, 2].filter(isFound)).toEqual(expected);
});

test.each([
  ['inside', 10, 20, true],
  ['across', 0, 100, true],
  ['touching', 0, 10, true],
  ['before', 0, 9, false],
  ['after', 31, 40, false],
])('a time window %s the step', (_name, from, to, expected) => {
  const timed = toColumns(outlineOfSteps([{ start: 0 }, { start: 10, duration: 20 }]));
  expect(isInWindow(timed, timed.end, 1, { from, to })).toBe(expected);
});
