import { describe, expect, it } from 'vitest';
import { DEFAULT_JUDGE_BUDGET, dayOf, effectiveBudget, nextDayAt } from './judge-budget.ts';

const MIDNIGHT = Date.UTC(2026, 0, 16);

describe('the budget of a tenant', () => {
  it.each([
    [null, 10],
    [0, 0],
    [3, 3],
    [11, 10],
  ])('with %s calls of its own is %d of 10', (own, calls) => {
    expect(effectiveBudget({ calls: 10, tokens: 500 }, own)).toEqual({ calls, tokens: 500 });
  });

  it('is 100 calls and 200,000 tokens by default', () => {
    expect(DEFAULT_JUDGE_BUDGET).toEqual({ calls: 100, tokens: 200_000 });
  });

  it.each([
    [MIDNIGHT - 1, '2026-01-15', MIDNIGHT],
    [MIDNIGHT, '2026-01-16', MIDNIGHT + 86_400_000],
  ])('at %d is that of %s and starts again at %d', (now, day, next) => {
    expect([dayOf(now), nextDayAt(now)]).toEqual([day, next]);
  });
});
