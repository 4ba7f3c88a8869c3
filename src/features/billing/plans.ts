export const PLANS = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
export type PaidPlan = Exclude<Plan, 'free'>;

/** Null is unlimited. */
export interface Quotas {
  tracesPerDay: number | null;
  retentionDays: number | null;
  seats: number | null;
}

export const UNLIMITED: Quotas = { tracesPerDay: null, retentionDays: null, seats: null };

export const PLAN_QUOTAS: Readonly<Record<Plan, Quotas>> = {
  free: { tracesPerDay: 1_000, retentionDays: 7, seats: 1 },
  pro: { tracesPerDay: 50_000, retentionDays: 30, seats: 5 },
  team: { tracesPerDay: 500_000, retentionDays: 90, seats: 25 },
  enterprise: { tracesPerDay: null, retentionDays: 365, seats: null },
};

export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}
