import { expect, it } from 'vitest';
import { chartScale, linePoints } from './line-points.ts';

it.each([
  [[], 1],
  [[0, 0], 1],
  [[3], 5],
  [[0.013], 0.02],
  [[1_000], 1_000],
  [[1_001], 2_000],
  [[9.7], 10],
])('the scale of %j ends at %d', (values, top) => {
  expect(chartScale(values)).toBeCloseTo(top, 9);
});

const SIZE = { width: 100, height: 10 };

it.each<[string, (number | null)[], string[]]>([
  ['a line', [0, 10, 5], ['0,10 50,0 100,5']],
  ['a gap', [0, null, 10, 10], ['0,10 2,10', '66.7,0 100,0']],
  ['one value', [5], ['0,5 2,5']],
  ['nothing', [null, null], []],
  ['no steps', [], []],
])('the segments of %s', (_name, values, segments) => {
  expect(linePoints(values, 10, SIZE)).toEqual(segments);
});
