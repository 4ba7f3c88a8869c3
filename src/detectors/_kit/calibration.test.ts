import { describe, expect, it } from 'vitest';
import { type Calibration, confidenceOf, firingDefault, severityConfidence } from './calibration.ts';

const CALIBRATION: Calibration = {
  threshold: 0.4,
  curve: [
    [0.2, 0.1],
    [0.6, 0.5],
    [0.8, 0.9],
  ],
  subtypes: { rare: [[0, 0.2]] },
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

  it('uses the curve of the subtype if there is one', () => {
    expect(confidenceOf(0.9, 'rare', CALIBRATION).value).toBe(0.2);
  });

  it('stays below 0.7 without labels', () => {
    expect(confidenceOf(1, 'common', null)).toEqual({ value: 0.7, isCalibrated: false });
    expect(confidenceOf(0.5, 'common', null)).toEqual({ value: 0.35, isCalibrated: false });
  });
});

const OUTCOME: Calibration = {
  threshold: 0.5,
  curve: [],
  subtypes: {
    known: [
      [0, 0],
      [0.43, 0.6],
      [1, 0.9],
    ],
  },
  label: 'run_failed',
  from: 0.43,
  samples: 40,
};

describe('a calibration with labels of failed runs', () => {
  it('is not calibrated below the lowest labelled score', () => {
    expect(confidenceOf(0.42, 'known', OUTCOME).isCalibrated).toBe(false);
    expect(confidenceOf(0.43, 'known', OUTCOME)).toEqual({ value: 0.6, isCalibrated: true });
  });

  it('does not calibrate a subtype without labels', () => {
    expect(confidenceOf(1, 'unknown', OUTCOME)).toEqual({ value: 0.7, isCalibrated: false });
    expect(firingDefault('unknown', OUTCOME)).toBe(0.3);
    expect(firingDefault('known', OUTCOME)).toBe(0.5);
    expect(firingDefault('known', null)).toBe(0.3);
  });

  it.each([
    ['a low score has a low confidence even if most of its runs failed', 0.43, 0.301],
    ['a high score has at most the failure rate of its runs as confidence', 1, 0.6],
  ])('%s', (_, score, expected) => {
    expect(severityConfidence(score, { value: 0.6, isCalibrated: true }, OUTCOME)).toBe(expected);
  });

  it('uses only the confidence if labels state whether a detection is true', () => {
    expect(severityConfidence(0.43, { value: 0.99, isCalibrated: true }, CALIBRATION)).toBe(0.99);
  });
});
