import { expect, it } from 'vitest';
import { probabilityOf } from '../../../src/detectors/_models/calibration-curve.ts';
import { falseAlarmCurve } from './curves.ts';

const benign = Array.from({ length: 1000 }, (_, at) => ({ set: at % 2 === 0 ? 'letters' : 'logs', raw: at / 100 }));

it.each([
  ['one in a hundred', 9.9, 0.5],
  ['one in ten', 9, 0.18],
  ['above all', 10.5, 0.87],
])('gives the score of %s', (_, raw, score) => {
  expect(probabilityOf(falseAlarmCurve(benign), raw)).toBeCloseTo(score, 1);
});

it('rises in both coordinates', () => {
  const curve = falseAlarmCurve(benign);
  for (const [at, [raw, score]] of curve.entries()) {
    if (at === 0) continue;
    expect(raw).toBeGreaterThan(curve[at - 1]![0]);
    expect(score).toBeGreaterThan(curve[at - 1]![1]);
  }
});

it('gives small and large sets the same weight', () => {
  const few = Array.from({ length: 10 }, (_, at) => ({ set: 'rare', raw: 50 + at }));
  expect(probabilityOf(falseAlarmCurve(benign), 52)).toBeGreaterThan(0.9);
  expect(probabilityOf(falseAlarmCurve([...benign, ...few]), 52)).toBeLessThan(0.2);
});
