import { describe, expect, it } from 'vitest';
import { judgeSoak, quantile, type Sample, type SoakResult, slopeOf } from './judge-soak.ts';

/** Thirty minutes, a sample every ten seconds. */
function series(change: (sample: Sample, index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 180 }, (_, index) => {
    const steady = { atS: index * 10, residentMb: 300 + (index % 5) * 4, openFiles: 60 + (index % 3), threads: 14 };
    const sample: Sample = { ...steady, walMb: 4 + (index % 7), databaseMb: index, loopDelayMs: 20 };
    return { ...sample, ...change(sample, index) };
  });
}

const GOOD: SoakResult = {
  samples: series(() => ({})),
  answers: new Map([
    ['ingest 202', 900],
    ['ingest 503', 12],
  ]),
  faults: { unannounced503: 0, broken: 0 },
  quietDelaysMs: Array.from({ length: 100 }, (_, index) => 2_100 + index),
  acknowledgedSpans: 90_000,
  lostSpans: 0,
};

const failed = (result: Partial<SoakResult>) =>
  judgeSoak({ ...GOOD, ...result }).flatMap(({ what, isPassed }) => (isPassed ? [] : [what]));

describe('a soak', () => {
  it('passes where nothing grows, fails or is lost', () => {
    expect(failed({})).toEqual([]);
  });

  it.each<[string, Partial<SoakResult>, string]>([
    ['memory leaks', { samples: series(({ residentMb }, i) => ({ residentMb: residentMb + i })) }, 'resident memory'],
    ['files stay open', { samples: series(({ openFiles }, i) => ({ openFiles: openFiles + i / 10 })) }, 'open files'],
    ['threads stay', { samples: series((_, i) => ({ threads: 14 + Math.floor(i / 20) })) }, 'threads'],
    ['the WAL is never reset', { samples: series((_, i) => ({ walMb: i })) }, 'WAL'],
    ['too little was measured', { samples: series(() => ({})).slice(0, 10) }, 'resident memory'],
    ['an internal error', { answers: new Map([['reads 500', 1]]) }, 'no 5xx'],
    ['a 503 without Retry-After', { faults: { unannounced503: 1, broken: 0 } }, 'no 5xx'],
    ['a broken connection', { faults: { unannounced503: 0, broken: 1 } }, 'no 5xx'],
    ['no answers at all', { answers: new Map() }, 'no 5xx'],
    [
      'late findings',
      { quietDelaysMs: GOOD.quietDelaysMs.map((delay, i) => (i % 10 === 0 ? 9_000 : delay)) },
      'findings',
    ],
    ['a finding that never came', { quietDelaysMs: [2_000, null] }, 'findings'],
    ['no quiet traces', { quietDelaysMs: [] }, 'findings'],
    ['a lost span', { lostSpans: 1 }, 'no acknowledged span'],
    ['nothing was acknowledged', { acknowledgedSpans: 0 }, 'no acknowledged span'],
  ])('fails where there is %s', (_name, result, what) => {
    expect(failed(result).join()).toContain(what);
  });

  it('passes where memory grew in the first half only', () => {
    const samples = series(({ residentMb }, i) => ({ residentMb: residentMb + Math.min(i, 80) * 3 }));
    expect(failed({ samples })).toEqual([]);
  });
});

it.each([
  [[[0, 1]], 0],
  [
    [
      [0, 1],
      [1, 3],
      [2, 5],
    ],
    2,
  ],
  [
    [
      [0, 5],
      [1, 5],
    ],
    0,
  ],
] as [[number, number][], number][])('the slope of %j is %d', (points, slope) => {
  expect(slopeOf(points)).toBeCloseTo(slope);
});

it('the 95th percentile of 1 to 100 is 95', () => {
  expect(
    quantile(
      Array.from({ length: 100 }, (_, index) => index + 1),
      0.95,
    ),
  ).toBe(95);
});
