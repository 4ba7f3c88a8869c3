import { describe, expect, test } from 'vitest';
import type { SourceShares } from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';
import { SEEN_BY_RULES, sourcesOf } from './seen-by-rules.ts';
import { shortfall, subtypePrecision } from './subtype-precision.ts';

const source = (set: string, healthy: [number, number], failing: [number, number]): SourceShares => ({
  set,
  healthy: { hits: healthy[0], n: healthy[1] },
  failing: { hits: failing[0], n: failing[1] },
});

test('precision is that of the pooled sources, the base rate that of the sources it fired in', () => {
  const figures = subtypePrecision([
    source('desk', [1, 50], [3, 150]),
    source('shop', [0, 100], [4, 100]),
    source('quiet', [0, 500], [0, 10]),
  ]);
  expect(figures).toMatchObject({
    healthy: { hits: 1, n: 650 },
    failing: { hits: 7, n: 260 },
    precision: 7 / 8,
    sources: 2,
    worstHealthy: 0.02,
  });
  expect(figures.baseRate).toBeCloseTo((4 * 0.75 + 4 * 0.5) / 8);
});

describe('the bar', () => {
  const good = [source('desk', [0, 100], [10, 100]), source('shop', [0, 100], [8, 100])];
  const changed = (...others: SourceShares[]) => shortfall(subtypePrecision([...good, ...others]));

  test('is reached by a subtype that fires on failing runs of two sources', () => {
    expect(changed()).toBeNull();
  });

  test.each([
    ['too few healthy runs', [source('a', [0, 20], [9, 20]), source('b', [0, 20], [9, 20])], 'could have fired on 40'],
    ['too few runs', [source('a', [0, 100], [4, 20]), source('b', [0, 90], [5, 20])], 'fired on 9 of the 10 runs'],
    ['one source', [source('a', [0, 300], [40, 90])], 'fired in 1 of the 2 sources'],
    ['no run', [source('a', [0, 300], [0, 90])], 'fired on 0 of the 10 runs'],
    ['too many healthy runs', [...good, source('c', [5, 200], [90, 100])], 'fired on 1.3 % of the healthy runs,'],
    ['a bad source', [...good, source('c', [3, 30], [90, 100]), source('d', [0, 900], [0, 9])], 'of one source'],
    ['low precision', [...good, source('c', [5, 900], [0, 9])], 'precision 78.3 %'],
    [
      'no more than chance',
      [source('a', [1, 100], [9, 900]), source('b', [1, 100], [9, 900])],
      'not above the base rate',
    ],
  ])('is missed with %s', (_, sources, why) => {
    expect(shortfall(subtypePrecision(sources))).toContain(why);
  });
});

describe('sources of a subtype', () => {
  test('that are recorded: sources that were not read are left out', () => {
    const { seen, leftOut, isRecorded } = sourcesOf('loop/rephrasing', { 'loop/rephrasing': ['tau_bench'] });
    expect({ seen, isRecorded }).toEqual({ seen: ['tau_bench'], isRecorded: true });
    expect(leftOut).toHaveLength(RUN_SOURCES.length - 1);
    expect(leftOut).not.toContain('tau_bench');
  });

  test('that are not recorded do not raise maturity', () => {
    expect(sourcesOf('loop/constructor', {})).toMatchObject({ isRecorded: false });
  });

  test('are run sources', () => {
    const sets = RUN_SOURCES.map(({ set }) => set);
    expect(
      Object.values(SEEN_BY_RULES)
        .flat()
        .filter((set) => !sets.includes(set)),
    ).toEqual([]);
  });
});
