import { expect, it } from 'vitest';
import { RISK_COLUMN_COUNT } from '../../detectors/_attribution/run-columns.ts';
import { adaptTraffic, type TrafficSample } from './adapt-traffic.ts';

/** A hundred and twenty runs of which a few are troubled, kept with so many numbers each. */
function traffic(size: number): TrafficSample[] {
  return Array.from({ length: 120 }, (_, nth) => ({
    signals: {},
    riskColumns: Array.from({ length: size }, () => (nth < 4 ? 9 : 1)),
  }));
}

const input = { kinds: [], validated: [], targetAlertRate: 0.05 };

it.each([
  ['ranks runs by the numbers kept of them', traffic(RISK_COLUMN_COUNT), true],
  ['leaves runs out that another version kept', traffic(RISK_COLUMN_COUNT - 3), false],
  ['leaves runs out that were not read', traffic(0), false],
  [
    'does not rank by the few that are left',
    [...traffic(RISK_COLUMN_COUNT).slice(0, 20), ...traffic(RISK_COLUMN_COUNT - 3)],
    false,
  ],
])('%s', (_name, samples, isRanked) => {
  expect(adaptTraffic({ ...input, samples }).risk !== null).toBe(isRanked);
});
