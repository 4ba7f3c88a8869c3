import { expect, test } from 'vitest';
import type { AdaptableKind } from '../../src/features/calibration/traffic.ts';
import { simulateTraffic } from './self-calibration.ts';
import { selfCalibrationScores } from './self-calibration-scores.ts';
import type { StreamedRun } from './traffic-stream.ts';

const KIND: AdaptableKind = {
  key: 'state_corruption/bounds',
  type: 'state_corruption',
  subtype: 'bounds',
  impact: 'warning',
  firing: 0.3,
  alarm: 0.4,
  sure: 0.6,
  usual: 0.4,
  level: 'measured',
  isModel: false,
};

/** 300 runs; those at these places failed, with a detection below the threshold. */
function stream(isFailing: (n: number) => boolean, confidence: number): StreamedRun[] {
  return Array.from({ length: 300 }, (_, n) => {
    const signals: StreamedRun['signals'] = isFailing(n) ? { [KIND.key]: confidence } : {};
    return {
      id: `run ${n}`,
      set: 'tau_bench',
      group: `task ${n}`,
      isFailing: isFailing(n),
      signals,
      riskColumns: null,
    };
  });
}

const share = (runs: ReturnType<typeof simulateTraffic>, isFailing: boolean, stage: 'before' | 'after') => {
  const some = runs.filter((run) => run.isFailing === isFailing);
  return some.reduce((sum, run) => sum + run[stage] / run.orders, 0) / some.length;
};
const simulate = (runs: StreamedRun[], labels = 0) =>
  simulateTraffic(runs, { kinds: [KIND], targetAlertRate: 0.05, labels });

test('a rare weak detection becomes an alarm after the start, and only later runs are counted', () => {
  const runs = simulate(stream((n) => n % 60 === 0, 0.25));
  expect(share(runs, true, 'before')).toBe(0);
  expect(share(runs, true, 'after')).toBeGreaterThan(0.5);
  expect(share(runs, false, 'after')).toBe(0);
  expect(runs.every(({ orders }) => orders >= 1 && orders <= 5)).toBe(true);
});

test('a frequent one does not', () => {
  expect(share(simulate(stream((n) => n % 5 === 0, 0.25)), true, 'after')).toBe(0);
});

test('a detection that is labelled false stops firing', () => {
  const healthyAlarms = stream((n) => n % 10 === 0, 0.45).map((run) => ({ ...run, isFailing: false }));
  expect(share(simulate(healthyAlarms), false, 'before')).toBeCloseTo(0.1, 1);
  expect(share(simulate(healthyAlarms, 20), false, 'after')).toBe(0);
});

test('the same stream gives the same section', () => {
  const runs = stream((n) => n % 60 === 0, 0.25);
  expect(selfCalibrationScores(runs)).toEqual(selfCalibrationScores(runs));
});
