import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { rankedRisk, riskRanking } from './ranked-risk.ts';
import { RISK_COLUMN_COUNT, riskColumns, TROUBLE_COLUMNS } from './run-columns.ts';

const CALM =
  'user "When is my flight?"\nagent clerk\nllm m -> "I look it up."\ntool get_booking {"id":1} -> {"day":"Friday"}';
const TROUBLED = `${CALM}
tool modify_booking {"id":1} -> "Error: booking not found"
tool modify_booking {"id":2} -> "Error: booking not found"
llm m -> "Maybe I should assume another id; wait, perhaps I search again."`;
const IDLE = 'user "When is my flight?"\nagent clerk\nllm m -> "I look it up."';

const columns = (text: string) => riskColumns(parseTrace(text));
const traffic = Array.from({ length: 40 }, (_, nth) => columns(nth % 8 === 0 ? TROUBLED : CALM));

describe('rankedRisk', () => {
  it('each column has a distinct name and a finite value', () => {
    expect(new Set(TROUBLE_COLUMNS).size).toBe(TROUBLE_COLUMNS.length);
    expect(columns(CALM)).toHaveLength(RISK_COLUMN_COUNT);
    expect([...columns(TROUBLED)].every(Number.isFinite)).toBe(true);
  });

  it('ignores the task', () => {
    expect(columns(`task "a secret plan of the user"\n${TROUBLED}`)).toEqual(columns(TROUBLED));
  });

  it('is higher for a run with errors than for one without', () => {
    expect(rankedRisk(columns(TROUBLED), traffic)).toBeGreaterThan(rankedRisk(columns(CALM), traffic));
  });

  it('is higher for a run without tool calls if the other runs call tools', () => {
    expect(rankedRisk(columns(IDLE), traffic)).toBeGreaterThan(rankedRisk(columns(CALM), traffic));
    expect(rankedRisk(columns(IDLE), [columns(IDLE)])).toBe(0);
  });

  it('is 0 without other runs and if all runs are equal', () => {
    expect(rankedRisk(columns(TROUBLED), [])).toBe(0);
    expect(rankedRisk(columns(TROUBLED), Array(50).fill(columns(CALM)))).toBe(0);
  });

  it('compares a run with runs of the same number of agents if there are enough', () => {
    const alone = { length: 40 };
    const pair = Array.from(alone, () => columns(`${TROUBLED}\nagent other\nllm m -> "Fine."`));
    const rank = riskRanking([...traffic, ...pair]);
    expect(rank(pair[0]!)).toBe(0);
  });
});
