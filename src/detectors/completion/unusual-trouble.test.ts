import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import { riskRanking } from '../_attribution/ranked-risk.ts';
import { riskColumns } from '../_attribution/run-columns.ts';
import type { TrafficReference } from '../_kit/traffic-reference.ts';
import { contractProblems } from '../_testing/contract.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { completion } from './detector.ts';
import { unusualTrouble } from './unusual-trouble.ts';

const CALM = parseTrace(['agent clerk', 'tool find {"id":1} -> "found"', 'llm m -> "It is on its way."'].join('\n'));
const TROUBLED = parseTrace(
  [
    'agent clerk',
    'tool find {"id":1} !! Timeout: no answer',
    'tool find {"id":2} !! Timeout: no answer',
    'llm m -> "It is perhaps on its way."',
  ].join('\n'),
);

/** Fifty runs like the calm one; `from` lies between it and the troubled one. */
const reference = [...Array.from({ length: 49 }, () => riskColumns(CALM)), riskColumns(TROUBLED)];
const rank = riskRanking(reference);
const between = (rank(riskColumns(CALM)) + rank(riskColumns(TROUBLED))) / 2;
const TRAFFIC: TrafficReference = {
  runs: 200,
  share: 0.05,
  from: between,
  warningFrom: null,
  reference: reference.map((row) => [...row]),
};

describe('unusualTrouble', () => {
  it('reports the outlier, as an alarm only within the limit', () => {
    expect(unusualTrouble(TROUBLED, TRAFFIC)).toMatchObject({ subtype: 'unusual_trouble', score: 0.45 });
    expect(unusualTrouble(TROUBLED, { ...TRAFFIC, warningFrom: between })).toMatchObject({ score: 0.58 });
    expect(unusualTrouble(TROUBLED, TRAFFIC)?.explanation).toMatch(
      /than all but 5 % of your last 200 runs .*: a larger share of calls that failed/,
    );
  });

  it.each([
    ['a run like the others', CALM, TRAFFIC],
    ['traffic that is not known', TROUBLED, undefined],
    [
      'traffic stored by a version with other columns',
      TROUBLED,
      { ...TRAFFIC, reference: reference.map((row) => [...row].slice(1)) },
    ],
    ['a run that is not finished', { ...TROUBLED, isSettled: false }, TRAFFIC],
  ])('is silent for %s', (_name, trace, traffic) => {
    expect(unusualTrouble(trace, traffic)).toBeNull();
  });

  it('keeps the contract of detectors', () => {
    const options = { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS, traffic: TRAFFIC };
    expect(contractProblems(completion, TROUBLED, options)).toEqual([]);
  });
});
