import type { SubscriptionTable } from '../../store/billing-tables.ts';
import { isPlan } from './plans.ts';
import type { SubscriptionState } from './subscription-state.ts';

export function toSubscriptionState(row: SubscriptionTable | null): SubscriptionState | null {
  if (row === null) return null;
  return {
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    plan: isPlan(row.plan) ? row.plan : 'free',
    status: row.status,
    currentPeriodEnd: row.current_period_end,
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    eventAt: row.event_at,
    eventRank: row.event_rank,
  };
}

export function toSubscriptionRow(tenantNo: number, state: SubscriptionState, now: number): SubscriptionTable {
  return {
    tenant_no: tenantNo,
    customer_id: state.customerId,
    subscription_id: state.subscriptionId,
    plan: state.plan,
    status: state.status,
    current_period_end: state.currentPeriodEnd,
    cancel_at_period_end: state.cancelAtPeriodEnd ? 1 : 0,
    event_at: state.eventAt,
    event_rank: state.eventRank,
    updated_at: now,
  };
}
