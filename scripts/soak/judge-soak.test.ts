import { describe, expect, it } from 'vitest';
import {
  isRetryAfter,
  judgeSoak,
  quantile,
  type Sample,
  type SoakResult,
  slopeErrorOf,
  slopeOf,
} from './judge-soak.ts';

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
  faults: { busyWithoutRetryAfter: 0, broken: 0 },
  quietDelaysMs: Array.from({ length: 100 }, (_, index) => 2_100 + index),
  acknowledgedSpans: 90_000,
  lostSpans: 0,
};

const failed = (result: Partial<SoakResult>) =>
  judgeSoak({ ...GOOD, ...result }).flatMap(({ what, isPassed }) => (isPassed ? [] : [what]));

describe('a soak', () => {
  it('passes if nothing grows, fails or is lost', () => {
    expect(failed({})).toEqual([]);
  });

  it.each<[string, Partial<SoakResult>, string]>([
    ['memory leaks', { samples: series(({ residentMb }, i) => ({ residentMb: residentMb + i })) }, 'resident memory'],
    ['files stay open', { samples: series(({ openFiles }, i) => ({ openFiles: openFiles + i / 10 })) }, 'open files'],
    ['threads stay', { samples: series((_, i) => ({ threads: 14 + Math.floor(i / 20) })) }, 'threads'],
    // The noise is larger than the growth, as when a log is emptied again and again.
    [
      'memory grows 300 MB/h behind noise of ±60 MB',
      { samples: series((_, i) => ({ residentMb: 300 + (i * 300) / 360 + (i % 2) * 120 })) },
      'resident memory',
    ],
    [
      'files open faster than noise hides',
      { samples: series((_, i) => ({ openFiles: 60 + i / 8 + (i % 2) * 30 })) },
      'open',
    ],
    [
      'one thread more every four minutes',
      { samples: series((_, i) => ({ threads: 14 + Math.floor(i / 24) })) },
      'threads',
    ],
    ['the WAL is never reset', { samples: series((_, i) => ({ walMb: i })) }, 'WAL'],
    ['the WAL is large once', { samples: series((_, i) => ({ walMb: i === 20 ? 65 : 4 })) }, 'WAL'],
    ['the WAL has too few measurements', { samples: series(() => ({})).slice(0, 7) }, 'WAL'],
    ['there are too few samples', { samples: series(() => ({})).slice(0, 10) }, 'resident memory'],
    ['an internal error', { answers: new Map([['reads 500', 1]]) }, 'no 5xx'],
    ['a 503 without Retry-After', { faults: { busyWithoutRetryAfter: 1, broken: 0 } }, 'no 5xx'],
    ['a broken connection', { faults: { busyWithoutRetryAfter: 0, broken: 1 } }, 'no 5xx'],
    ['no answers at all', { answers: new Map() }, 'no 5xx'],
    [
      'late detections',
      { quietDelaysMs: GOOD.quietDelaysMs.map((delay, i) => (i % 10 === 0 ? 9_000 : delay)) },
      'detections',
    ],
    ['one detection that is very late', { quietDelaysMs: [...GOOD.quietDelaysMs, 10_001] }, 'detections'],
    ['a detection that was never stored', { quietDelaysMs: [2_000, null] }, 'detections'],
    ['no quiet traces', { quietDelaysMs: [] }, 'detections'],
    ['a lost span', { lostSpans: 1 }, 'no acknowledged span'],
    ['nothing was acknowledged', { acknowledgedSpans: 0 }, 'no acknowledged span'],
  ])('fails with %s', (_name, result, what) => {
    expect(failed(result).join()).toContain(what);
  });

  it.each<[string, Partial<SoakResult>]>([
    ['the WAL grows, is emptied, and stays within its bound', { samples: series((_, i) => ({ walMb: (i % 60) + 4 })) }],
    ['noise alone changes the slope', { samples: series((_, i) => ({ residentMb: 300 + (i % 30 < 15 ? 0 : 40) })) }],
    ['a detection takes 6 s once', { quietDelaysMs: [...GOOD.quietDelaysMs, 6_000] }],
  ])('passes if %s', (_name, result) => {
    expect(failed(result)).toEqual([]);
  });

  it('passes if memory grew in the first half only', () => {
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

it.each([
  ['1', true],
  ['60', true],
  ['0', false],
  ['61', false],
  ['-1', false],
  ['1.5', false],
  ['', false],
  ['Sun, 22 Nov 2026 12:00:00 GMT', false],
  [null, false],
])('Retry-After %j is valid: %s', (value, isValid) => {
  expect(isRetryAfter(value)).toBe(isValid);
});

it('the error of a slope is zero for a line, known for a zigzag, and infinite for two points', () => {
  expect(
    slopeErrorOf(
      [
        [0, 1],
        [1, 3],
        [2, 5],
      ],
      2,
    ),
  ).toBeCloseTo(0);
  // Residuals -1, 1, 1, -1 around a level line: sqrt(4 / 2 / 5).
  expect(
    slopeErrorOf(
      [
        [0, -1],
        [1, 1],
        [2, 1],
        [3, -1],
      ],
      0,
    ),
  ).toBeCloseTo(Math.sqrt(0.4));
  expect(
    slopeErrorOf(
      [
        [0, 1],
        [1, 3],
      ],
      2,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
});
