import type { Severity } from '../../core/severity.ts';
import type { IssueDay } from '../../store/issue.store.ts';

/** Number of days over which runs are counted, including today. */
export const RECENT_DAYS = 14;

const DAY_MS = 86_400_000;
const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 10, warning: 3, info: 1, observation: 0 };

/** Start of the first of these days, UTC, Unix milliseconds. */
export function recentSince(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - (RECENT_DAYS - 1) * DAY_MS;
}

/** Weight of the severity × recent runs × (1 + recent waste in USD). */
export function impactOf(severity: Severity, days: readonly Pick<IssueDay, 'runs' | 'wastedCostUsd'>[]): number {
  const runs = days.reduce((sum, day) => sum + day.runs, 0);
  const wasted = days.reduce((sum, day) => sum + day.wastedCostUsd, 0);
  return Math.round(WEIGHTS[severity] * runs * (1 + wasted) * 1000) / 1000;
}
