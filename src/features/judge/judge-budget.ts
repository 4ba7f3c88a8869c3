/** Daily limits per tenant, UTC. */
export interface JudgeBudget {
  calls: number;
  tokens: number;
}

export const DEFAULT_JUDGE_BUDGET: JudgeBudget = { calls: 100, tokens: 200_000 };

/** The tenant may set a lower limit than the instance's, never a higher one. */
export function effectiveBudget(instance: JudgeBudget, dailyCalls: number | null): JudgeBudget {
  return { ...instance, calls: Math.min(instance.calls, dailyCalls ?? instance.calls) };
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** Unix milliseconds at which the budget is reset. */
export function nextDayAt(ms: number): number {
  return (Math.floor(ms / DAY_MS) + 1) * DAY_MS;
}
