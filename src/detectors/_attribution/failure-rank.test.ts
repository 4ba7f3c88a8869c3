import { expect, test } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { failureRanks, MIN_RANKED_RUNS } from './failure-rank.ts';
import { riskColumns } from './run-columns.ts';

const CALM = riskColumns(parseTrace('agent clerk\ntool find {"id":1} -> "found"\nllm m -> "It is on its way."'));
const TROUBLED = riskColumns(
  parseTrace(
    'agent clerk\ntool find {"id":1} !! Timeout\ntool find {"id":1} !! Timeout\nllm m -> "It is perhaps lost."',
  ),
);
const traffic = (calm: number) => [...Array.from({ length: calm }, () => CALM), TROUBLED];

test('a run with errors ranks above the others, and equal runs share one rank', () => {
  const ranks = failureRanks(traffic(39));
  expect(ranks.at(-1)).toBeCloseTo(39.5 / 40);
  expect(new Set(ranks.slice(0, -1))).toEqual(new Set([19.5 / 40]));
});

test('too few runs have no rank', () => {
  expect(failureRanks(traffic(MIN_RANKED_RUNS - 2))).toEqual(Array(MIN_RANKED_RUNS - 1).fill(null));
  expect(failureRanks(traffic(MIN_RANKED_RUNS - 1))).not.toContain(null);
  expect(failureRanks([])).toEqual([]);
});
