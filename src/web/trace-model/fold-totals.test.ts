import { expect, test } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { foldTotals } from './fold-totals.ts';

const columns = toColumns(
  outlineOfSteps([
    {},
    { parent: 0, repeat: 1, start: 0, duration: 10, isError: true },
    { parent: 1 },
    { parent: 0, repeat: 1, start: 20, duration: null },
    { parent: 0, repeat: 1, start: 30, duration: 5 },
    { parent: 0 },
  ]),
);
const none = new Uint8Array(6);

test('adds up the members of a fold', () => {
  const source = {
    columns,
    worst: Uint8Array.of(0, 0, 0, 2, 0, 4),
    decisive: Uint8Array.of(0, 0, 0, 2, 0, 4),
    worstBelow: Uint8Array.of(0, 4, 0, 0, 0, 0),
    decisiveBelow: Uint8Array.of(0, 3, 0, 0, 0, 0),
    shown: null,
  };
  expect(foldTotals(source, 1, 3)).toEqual({
    members: Int32Array.of(1, 3, 4),
    duration: 15,
    tokens: 0,
    errors: 1,
    worst: 4,
    decisive: 3,
  });
});

test('adds up only the members that the filter keeps', () => {
  const shown = Uint8Array.of(1, 1, 0, 0, 1, 1);
  const source = { columns, worst: none, decisive: none, worstBelow: none, decisiveBelow: none, shown };
  expect([...foldTotals(source, 1, 2).members]).toEqual([1, 4]);
});
