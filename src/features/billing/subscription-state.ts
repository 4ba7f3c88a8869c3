import type { PaymentChange } from '../../platforms/stripe/payment-event.ts';
import { isPlan, type Plan } from './plans.ts';

/** State of a tenant's subscription. */
export interface SubscriptionState {
  customerId: string | null;
  subscriptionId: string | null;
  plan: Plan;
  /** The provider's value. */
  status: string;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** Creation time of the newest applied event, and its rank among those of the same second. */
  eventAt: number;
  eventRank: number;
}

const IN_FORCE = new Set(['active', 'trialing', 'past_due']);
const ENDED = new Set(['canceled', 'incomplete_expired']);
const UNPAID = new Set(['past_due', 'unpaid', 'incomplete']);

/** A late payment keeps the plan while the provider still retries; after that the plan is `free`. */
export function planInForce(state: SubscriptionState | null): Plan {
  return isInForce(state) ? (state as SubscriptionState).plan : 'free';
}

/** Grace period before anything is deleted because a plan ended or was introduced: deletions cannot be undone. */
export const RETENTION_GRACE_MS = 14 * 24 * 3_600_000;

/** The plan that determines retention. */
export function planForRetention(state: SubscriptionState | null, now: number): Plan {
  const hasJustEnded = state !== null && !isInForce(state) && now - state.eventAt < RETENTION_GRACE_MS;
  return hasJustEnded ? state.plan : planInForce(state);
}

export function isInForce(state: SubscriptionState | null): boolean {
  return state !== null && state.subscriptionId !== null && IN_FORCE.has(state.status);
}

/**
 * The state after an event; null if it has no effect. Events repeat and arrive in any order: an older one never
 * undoes a newer one, an ended subscription stays ended, and an old subscription's event does not affect a newer
 * subscription.
 */
export function nextSubscription(
  state: SubscriptionState | null,
  change: PaymentChange,
  createdAt: number,
  planOfPrice: (priceId: string) => Plan | null,
): SubscriptionState | null {
  if (change.kind === 'checkout') return afterCheckout(state, change, createdAt);
  if (change.kind === 'invoice') return afterInvoice(state, change, createdAt);
  return afterSubscription(state, change, createdAt, planOfPrice);
}

function afterCheckout(
  state: SubscriptionState | null,
  change: Extract<PaymentChange, { kind: 'checkout' }>,
  createdAt: number,
): SubscriptionState | null {
  if (state?.subscriptionId === change.subscriptionId) {
    if (state.customerId !== null || change.customerId === null) return null;
    return { ...state, customerId: change.customerId };
  }
  if (state !== null && createdAt < state.eventAt) return null;
  return {
    customerId: change.customerId ?? state?.customerId ?? null,
    subscriptionId: change.subscriptionId,
    plan: change.plan !== null && isPlan(change.plan) ? change.plan : 'free',
    status: change.isPaid ? 'active' : 'incomplete',
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    // It has few facts about the subscription: any event of the subscription itself takes precedence, even an earlier one.
    eventAt: 0,
    eventRank: 0,
  };
}

function afterSubscription(
  state: SubscriptionState | null,
  change: Extract<PaymentChange, { kind: 'subscription' }>,
  createdAt: number,
  planOfPrice: (priceId: string) => Plan | null,
): SubscriptionState | null {
  if (state !== null && !mayFollow(state, change, createdAt)) return null;
  const sold = change.priceId === null ? null : planOfPrice(change.priceId);
  const named = change.plan !== null && isPlan(change.plan) ? change.plan : null;
  const kept = state?.subscriptionId === change.subscriptionId ? state.plan : null;
  return {
    customerId: change.customerId ?? state?.customerId ?? null,
    subscriptionId: change.subscriptionId,
    // The price shows the current plan; the plan's name in the metadata is from the checkout.
    plan: sold ?? kept ?? named ?? 'free',
    status: change.status,
    currentPeriodEnd: change.currentPeriodEnd,
    cancelAtPeriodEnd: change.cancelAtPeriodEnd,
    eventAt: createdAt,
    eventRank: change.rank,
  };
}

function mayFollow(
  state: SubscriptionState,
  change: Extract<PaymentChange, { kind: 'subscription' }>,
  createdAt: number,
): boolean {
  if (state.subscriptionId === null) return true;
  if (state.subscriptionId === change.subscriptionId) {
    if (ENDED.has(state.status)) return false;
    return createdAt > state.eventAt || (createdAt === state.eventAt && change.rank >= state.eventRank);
  }
  if (createdAt < state.eventAt || ENDED.has(change.status)) return false;
  return !isInForce(state) || IN_FORCE.has(change.status);
}

function afterInvoice(
  state: SubscriptionState | null,
  change: Extract<PaymentChange, { kind: 'invoice' }>,
  createdAt: number,
): SubscriptionState | null {
  if (state === null || createdAt < state.eventAt) return null;
  if (change.subscriptionId === null || change.subscriptionId !== state.subscriptionId) return null;
  const status = statusAfterInvoice(state.status, change.isPaid);
  return status === state.status ? null : { ...state, status, eventAt: createdAt, eventRank: 0 };
}

function statusAfterInvoice(status: string, isPaid: boolean): string {
  if (isPaid) return UNPAID.has(status) ? 'active' : status;
  return status === 'active' || status === 'trialing' ? 'past_due' : status;
}
