import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { outlineOfSteps, type TestStep } from '../../../test/support/outline-of-steps.ts';
import { type TraceColumns, toColumns } from './columns.ts';
import { foldRepeats } from './fold-repeats.ts';
import { reveal } from './reveal.ts';
import { filterSteps } from './step-filter.ts';
import { parentRow, type Row, type RowState, rowAt, rowOfStep, type VisibleRows, visibleRows } from './visible-rows.ts';

const OPEN: RowState = { collapsed: new Set(), unfolded: new Set() };

function state(collapsed: number[], unfolded: number[] = []): RowState {
  return { collapsed: new Set(collapsed), unfolded: new Set(unfolded) };
}

function listOf(rows: VisibleRows): Row[] {
  return Array.from({ length: rows.length }, (_, row) => rowAt(rows, row));
}

/** Rows as text: two spaces for each level, `×n` for a fold. */
function rowTexts(columns: TraceColumns, rowState: RowState = OPEN, shown: Uint8Array | null = null): string[] {
  return listOf(visibleRows(columns, rowState, shown)).map(
    ({ step, level, times }) => '  '.repeat(level - 1) + step + (times > 1 ? `×${times}` : ''),
  );
}

const run = toColumns(
  outlineOfSteps([
    {},
    { parent: 0 },
    { parent: 1, repeat: 7 },
    { parent: 1, repeat: 7 },
    { parent: 2 },
    { parent: 1, repeat: 7 },
    { parent: 0 },
  ]),
);

describe('visible rows', () => {
  test.each([
    ['all open', OPEN, ['0', '  1', '    2×3', '  6']],
    ['a collapsed parent', state([1]), ['0', '  1', '  6']],
    ['a collapsed root', state([0]), ['0']],
    ['an open fold', state([], [2]), ['0', '  1', '    2×3', '      2', '        4', '      3', '      5', '  6']],
    [
      'a collapsed member of an open fold',
      state([2], [2]),
      ['0', '  1', '    2×3', '      2', '      3', '      5', '  6'],
    ],
  ])('%s', (_name, rowState, expected) => {
    expect(rowTexts(run, rowState)).toEqual(expected);
  });

  it('number the siblings of a row, with a fold as one', () => {
    const positions = listOf(visibleRows(run, OPEN)).map(({ position, setSize }) => `${position}/${setSize}`);
    expect(positions).toEqual(['1/1', '1/2', '1/1', '2/2']);
  });

  it('contain and fold only the steps that the filter keeps', () => {
    const { shown, count } = filterSteps(run, (step) => step === 4 || step === 5);
    expect(count).toBe(2);
    expect(rowTexts(run, OPEN, shown)).toEqual(['0', '  1', '    2', '      4', '    5']);
  });

  it('are found by step and by parent', () => {
    const rows = visibleRows(run, state([], [2]));
    expect([rowOfStep(rows, 2), rowOfStep(rows, 4), rowOfStep(rows, 99)]).toEqual([3, 4, -1]);
    expect([parentRow(rows, 4), parentRow(rows, 3), parentRow(rows, 0)]).toEqual([3, 2, -1]);
  });

  it('are empty for an empty trace', () => {
    expect(visibleRows(toColumns(outlineOfSteps([])), OPEN).length).toBe(0);
  });

  it('throw for an unknown row', () => {
    expect(() => rowAt(visibleRows(run, OPEN), 99)).toThrow(RangeError);
  });
});

describe('reveal', () => {
  it('expands collapsed ancestors and the fold around a step', () => {
    const revealed = reveal(run, state([0, 1]), 4);
    expect(rowTexts(run, revealed)).toContain('        4');
  });

  it('does not change the state for a visible step', () => {
    expect(reveal(run, OPEN, 6)).toEqual(OPEN);
  });
});

describe('sizes', () => {
  test('a chain of 4,000 steps', () => {
    const deep = toColumns(
      outlineOfSteps(Array.from({ length: 4_000 }, (_, step) => (step ? { parent: step - 1 } : {}))),
    );
    const rows = visibleRows(deep, OPEN);
    expect(rows.length).toBe(4_000);
    expect(rows.level[3_999]).toBe(4_000);
  });

  test.each([50_000, 250_000])('%i siblings fold into one row and unfold into all', (total) => {
    const steps: TestStep[] = [{}, ...Array.from({ length: total - 1 }, () => ({ parent: 0, repeat: 3 }))];
    const columns = toColumns(outlineOfSteps(steps));
    expect(visibleRows(columns, OPEN).length).toBe(2);
    expect(visibleRows(columns, state([], [1])).length).toBe(total + 1);
  });
});

/** The same rows, computed recursively with objects. */
function naiveRows(columns: TraceColumns, { collapsed, unfolded }: RowState, shown: Uint8Array): Row[] {
  const childrenOf = (parent: number) =>
    Array.from({ length: columns.total }, (_, step) => step).filter(
      (step) => columns.parent[step] === parent && shown[step] === 1,
    );
  const single = { times: 1, period: 1 };
  const below = (siblings: number[], level: number): Row[] => {
    const runs = foldRepeats(Int32Array.from(siblings), columns.repeat);
    return runs.flatMap(({ from, period, times }, index) => {
      const row = { step: siblings[from]!, level, times, period, position: index + 1, setSize: runs.length };
      if (times === 1) return subtree(row);
      const members = siblings.slice(from, from + period * times);
      const memberRows = members.map((step, memberIndex) => ({
        step,
        level: level + 1,
        ...single,
        position: memberIndex + 1,
        setSize: members.length,
      }));
      return [row, ...(unfolded.has(row.step) ? memberRows.flatMap(subtree) : [])];
    });
  };
  const subtree = (row: Row): Row[] => [
    row,
    ...(collapsed.has(row.step) ? [] : below(childrenOf(row.step), row.level + 1)),
  ];
  return below(childrenOf(-1), 1);
}

test('any tree in any state has the rows of the naive implementation, and each step at most once', () => {
  const stepSpec = fc.record({ up: fc.nat(4), repeat: fc.nat(2) });
  const flags = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(stepSpec, { maxLength: 40 }), flags, (spec, flagsOfStep) => {
      const steps = spec.map(({ up, repeat }, index) =>
        up === 0 || up > index ? { repeat } : { parent: index - up, repeat },
      );
      const columns = toColumns(outlineOfSteps(steps));
      const stepsWithFlag = (flagIndex: 0 | 1) =>
        steps.flatMap((_, index) => (flagsOfStep[index]![flagIndex] ? [index] : []));
      const rowState = state(stepsWithFlag(0), stepsWithFlag(1));
      const { shown } = filterSteps(columns, (step) => flagsOfStep[step]![2]);
      const rows = listOf(visibleRows(columns, rowState, shown));
      expect(rows).toEqual(naiveRows(columns, rowState, shown));
      const single = rows.filter(({ times }) => times === 1).map((row) => row.step);
      expect(new Set(single).size).toBe(single.length);
      for (const step of steps.keys())
        if (shown[step] === 1)
          expect(
            rowOfStep(visibleRows(columns, reveal(columns, rowState, step, shown), shown), step),
          ).toBeGreaterThanOrEqual(0);
    }),
    { seed: 20261123, numRuns: 300 },
  );
});
