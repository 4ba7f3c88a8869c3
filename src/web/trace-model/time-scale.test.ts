import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { outlineOfSteps, type TestStep } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { shownEnds } from './shown-ends.ts';
import { idleGaps, ticksOf, timeScale } from './time-scale.ts';

function gapsOf(steps: TestStep[], isRunning = false) {
  const columns = toColumns(outlineOfSteps(steps));
  return idleGaps(columns, shownEnds(columns, isRunning)).map(({ from, to }) => [from, to]);
}

describe('shownEnds', () => {
  const open: TestStep[] = [
    { start: 0, duration: null },
    { parent: 0, start: 10, duration: 30 },
    { parent: 0, start: 50, duration: null },
    { start: 60, duration: 40 },
    { start: null },
  ];
  test.each([
    ['an ended trace: to the latest time below', false, [50, 40, 50, 100, Number.NaN]],
    ['a running trace: to the end', true, [100, 40, 100, 100, Number.NaN]],
  ])('%s', (_name, isRunning, expected) => {
    expect([...shownEnds(toColumns(outlineOfSteps(open)), isRunning)]).toEqual(expected);
  });
});

describe('idleGaps', () => {
  test.each<[string, TestStep[], number[][]]>([
    [
      'a wait between two steps of a parent',
      [
        { start: 0, duration: 100 },
        { parent: 0, start: 0, duration: 10 },
        { parent: 0, start: 90, duration: 10 },
      ],
      [[10, 90]],
    ],
    ['a wait inside a leaf step counts as activity', [{ start: 0, duration: 100 }], []],
    [
      'a short wait',
      [
        { start: 0, duration: 46 },
        { start: 55, duration: 45 },
      ],
      [],
    ],
    [
      'overlapping steps',
      [
        { start: 0, duration: 80 },
        { start: 10, duration: 5 },
        { start: 70, duration: 30 },
      ],
      [],
    ],
    [
      'two waits',
      [
        { start: 0, duration: 10 },
        { start: 40, duration: 10 },
        { start: 90, duration: 10 },
      ],
      [
        [10, 40],
        [50, 90],
      ],
    ],
    [
      'a parent that outlives its children',
      [
        { start: 0, duration: 100 },
        { parent: 0, start: 0, duration: 10 },
      ],
      [[10, 100]],
    ],
    ['no times', [{ start: null }], []],
  ])('%s', (_name, steps, expected) => {
    expect(gapsOf(steps)).toEqual(expected);
  });
});

describe('timeScale', () => {
  it('is linear without gaps', () => {
    const scale = timeScale(100, 300, []);
    expect([100, 200, 300].map(scale.toUnit)).toEqual([0, 0.5, 1]);
    expect(scale.toTime(0.25)).toBe(150);
  });

  it('compresses a gap to a fiftieth of the axis', () => {
    const scale = timeScale(0, 1_000, [{ from: 100, to: 900 }]);
    expect(scale.toUnit(900) - scale.toUnit(100)).toBeCloseTo(0.02);
    expect(scale.toUnit(100)).toBeCloseTo(0.49);
    expect(scale.toUnit(1_000)).toBeCloseTo(1);
  });

  it('clips a gap at the edge of the range', () => {
    expect(timeScale(500, 1_000, [{ from: 100, to: 900 }]).gaps).toEqual([{ from: 500, to: 900 }]);
    expect(timeScale(950, 1_000, [{ from: 100, to: 900 }]).gaps).toEqual([]);
  });

  test.each([
    ['an empty range', 50, 50, []],
    ['a range inside one gap', 200, 300, [{ from: 100, to: 900 }]],
    ['a gap up to the end', 0, 100, [{ from: 10, to: 100 }]],
    ['a gap from the start', 0, 100, [{ from: 0, to: 90 }]],
  ])('%s maps to 0 to 1', (_name, from, to, gaps) => {
    const scale = timeScale(from, to, gaps);
    expect(scale.toUnit(scale.from)).toBeCloseTo(0);
    expect(scale.toUnit(scale.to)).toBeCloseTo(1);
  });

  test('increases everywhere, and toTime is the inverse of toUnit', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 0, maxLength: 6 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 0, max: 999 }), (times, time) => {
        const sorted = times.sort((a, b) => a - b);
        const gaps = sorted.flatMap((from, index) =>
          index % 2 === 0 && sorted[index + 1] ? [{ from, to: sorted[index + 1]! }] : [],
        );
        const scale = timeScale(0, 1_000, gaps);
        expect(scale.toUnit(time + 1)).toBeGreaterThan(scale.toUnit(time));
        expect(scale.toTime(scale.toUnit(time))).toBeCloseTo(time, 3);
      }),
      { seed: 20261123, numRuns: 300 },
    );
  });
});

describe('ticksOf', () => {
  test.each([
    ['round times', timeScale(0, 1_000, []), 5, [0, 200, 400, 600, 800, 1_000]],
    ['none inside a gap', timeScale(0, 1_000, [{ from: 150, to: 890 }]), 4, [0, 100, 900, 1_000]],
    ['round minutes', timeScale(0, 6_000_000_000, []), 5, [0, 1_800_000_000, 3_600_000_000, 5_400_000_000]],
    ['of a range that starts anywhere', timeScale(37, 81, []), 5, [40, 50, 60, 70, 80]],
  ])('%s', (_name, scale, maxTicks, expected) => {
    expect(ticksOf(scale, maxTicks)).toEqual(expected.slice(0, maxTicks));
  });
});
