import { describe, expect, it } from 'vitest';
import { type Calibration, confidenceOf } from './calibration.ts';

const CALIBRATION: Calibration = {
  threshold: 0.4,
  curve: [
    [0.2, 0.1],
    [0.6, 0.5],
    [0.8, 0.9],
  ],
  subtypes: { rare: [[0, 0.2]] },
  tier: 'beta',
  samples: 80,
};

describe('confidenceOf', () => {
  it.each([
    ['below the first point', 0.1, 0.1],
    ['on a point', 0.6, 0.5],
    ['between points', 0.7, 0.7],
    ['above the last point', 1, 0.9],
  ])('%s', (_, score, value) => {
    expect(confidenceOf(score, 'common', CALIBRATION)).toEqual({ value, isCalibrated: true });
  });

  it('takes the curve of the subtype where there is one', () => {
    expect(confidenceOf(0.9, 'rare', CALIBRATION).value).toBe(0.2);
  });

  it('stays below 0.7 without labels', () => {
    expect(confidenceOf(1, 'common', null)).toEqual({ value: 0.7, isCalibrated: false });
    expect(confidenceOf(0.5, 'common', null)).toEqual({ value: 0.35, isCalibrated: false });
  });
});
