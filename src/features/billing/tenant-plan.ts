import { readSubscription } from '../../store/billing.store.ts';
import type { Db } from '../../store/connection.ts';
import { PLAN_QUOTAS, type Plan, type Quotas, UNLIMITED } from './plans.ts';
import { toSubscriptionState } from './subscription-row.ts';
import { planForRetention, planInForce, RETENTION_GRACE_MS } from './subscription-state.ts';

/** A plan's limits besides daily traces; read in the transaction that uses them. */
export interface TenantPlan {
  /** Null is unlimited. */
  seatsOf(db: Db, tenantNo: number): Promise<number | null>;
  /** Maximum retention in days; null is unlimited. */
  retentionDaysOf(db: Db, tenantNo: number, now: number): Promise<number | null>;
}

export async function readPlan(db: Db, tenantNo: number): Promise<Plan> {
  return planInForce(toSubscriptionState(await readSubscription(db, tenantNo)));
}

/** @param billingEnabledSince when billing was first enabled; null: it is not, and nothing is limited */
export function createTenantPlan({ billingEnabledSince }: { billingEnabledSince: number | null }): TenantPlan {
  if (billingEnabledSince === null)
    return { seatsOf: async () => UNLIMITED.seats, retentionDaysOf: async () => UNLIMITED.retentionDays };
  const quotasOf = (plan: Plan): Quotas => PLAN_QUOTAS[plan];
  return {
    seatsOf: async (db, tenantNo) => quotasOf(await readPlan(db, tenantNo)).seats,
    async retentionDaysOf(db, tenantNo, now) {
      if (now - billingEnabledSince < RETENTION_GRACE_MS) return null;
      const state = toSubscriptionState(await readSubscription(db, tenantNo));
      return quotasOf(planForRetention(state, now)).retentionDays;
    },
  };
}
