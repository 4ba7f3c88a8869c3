import { readSubscription } from '../../store/billing.store.ts';
import type { Db } from '../../store/connection.ts';
import { PLAN_QUOTAS, type Plan, type Quotas, UNLIMITED } from './plans.ts';
import { toSubscriptionState } from './subscription-row.ts';
import { KEEPING_GRACE_MS, planForKeeping, planInForce } from './subscription-state.ts';

/** What a tenant's plan bounds beside its traces of a day; read where it is needed, in the transaction that needs it. */
export interface TenantPlan {
  /** Null is without bound. */
  seatsOf(db: Db, tenantNo: number): Promise<number | null>;
  /** Days its traces are kept at most; null is without bound. */
  keptDaysOf(db: Db, tenantNo: number, now: number): Promise<number | null>;
}

export async function readPlan(db: Db, tenantNo: number): Promise<Plan> {
  return planInForce(toSubscriptionState(await readSubscription(db, tenantNo)));
}

/** @param billedSince when billing was switched on first; null: it is not, and nothing is bounded */
export function createTenantPlan({ billedSince }: { billedSince: number | null }): TenantPlan {
  if (billedSince === null)
    return { seatsOf: async () => UNLIMITED.seats, keptDaysOf: async () => UNLIMITED.retentionDays };
  const quotasOf = (plan: Plan): Quotas => PLAN_QUOTAS[plan];
  return {
    seatsOf: async (db, tenantNo) => quotasOf(await readPlan(db, tenantNo)).seats,
    async keptDaysOf(db, tenantNo, now) {
      if (now - billedSince < KEEPING_GRACE_MS) return null;
      const state = toSubscriptionState(await readSubscription(db, tenantNo));
      return quotasOf(planForKeeping(state, now)).retentionDays;
    },
  };
}
