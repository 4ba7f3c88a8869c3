import { describe, expect, it } from 'vitest';
import type { PaymentChange } from '../../platforms/stripe/payment-event.ts';
import { nextSubscription, planInForce, type SubscriptionState } from './subscription-state.ts';

type Step = [at: number, change: PaymentChange];
const planOfPrice = (priceId: string) => (priceId === 'price_pro' ? 'pro' : priceId === 'price_team' ? 'team' : null);

const subscription = (rank: number, status: string, more: object = {}): PaymentChange => ({
  kind: 'subscription',
  rank,
  tenantId: 'ten_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  status,
  priceId: 'price_pro',
  plan: 'pro',
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  ...more,
});
const checkout: PaymentChange = {
  kind: 'checkout',
  tenantId: 'ten_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  plan: 'pro',
  isPaid: true,
};
const invoice = (isPaid: boolean, subscriptionId = 'sub_1'): PaymentChange => ({
  kind: 'invoice',
  customerId: 'cus_1',
  subscriptionId,
  isPaid,
});

function stateAfter(steps: readonly Step[]): SubscriptionState | null {
  return steps.reduce<SubscriptionState | null>(
    (state, [at, change]) => nextSubscription(state, change, at, planOfPrice) ?? state,
    null,
  );
}

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe('the same events in any order', () => {
  it.each<[string, Step[], string, string]>([
    [
      'of a purchase',
      [
        [1_000, subscription(1, 'incomplete')],
        [1_000, subscription(2, 'active')],
        [2_000, checkout],
      ],
      'active',
      'pro',
    ],
    [
      'of an end',
      [
        [1_000, subscription(1, 'active')],
        [2_000, subscription(2, 'active', { cancelAtPeriodEnd: true })],
        [3_000, subscription(3, 'canceled')],
        [900, checkout],
      ],
      'canceled',
      'free',
    ],
    [
      'of another plan',
      [
        [1_000, subscription(1, 'active')],
        [2_000, subscription(2, 'active', { priceId: 'price_team' })],
      ],
      'active',
      'team',
    ],
  ])('%s end the same', (_title, steps, status, plan) => {
    for (const order of orders(steps)) {
      const state = stateAfter(order);
      expect([state?.status, planInForce(state)]).toEqual([status, plan]);
    }
  });
});

describe('a state', () => {
  it.each<[string, Step[], string, string]>([
    [
      'a late payment keeps the plan',
      [
        [1, subscription(2, 'active')],
        [2, invoice(false)],
      ],
      'past_due',
      'pro',
    ],
    [
      'a payment mends it',
      [
        [1, subscription(2, 'past_due')],
        [2, invoice(true)],
      ],
      'active',
      'pro',
    ],
    [
      'an old payment mends nothing',
      [
        [2, subscription(2, 'past_due')],
        [1, invoice(true)],
      ],
      'past_due',
      'pro',
    ],
    [
      'an invoice of another subscription says nothing',
      [
        [1, subscription(2, 'active')],
        [2, invoice(false, 'sub_2')],
      ],
      'active',
      'pro',
    ],
    ['an unpaid one has no plan', [[1, subscription(2, 'unpaid')]], 'unpaid', 'free'],
    [
      'nothing wakes an ended one',
      [
        [1, subscription(3, 'canceled')],
        [2, subscription(2, 'active')],
        [3, invoice(true)],
        [4, checkout],
      ],
      'canceled',
      'free',
    ],
    [
      'a new one follows an ended one',
      [
        [1, subscription(3, 'canceled')],
        [2, subscription(1, 'active', { subscriptionId: 'sub_2', priceId: 'price_team' })],
      ],
      'active',
      'team',
    ],
    [
      'the end of an old one leaves a new one alone',
      [
        [1, subscription(1, 'active', { subscriptionId: 'sub_2' })],
        [2, subscription(3, 'canceled')],
      ],
      'active',
      'pro',
    ],
    [
      'a price that nobody sells keeps the plan',
      [
        [1, subscription(1, 'active')],
        [2, subscription(2, 'active', { priceId: 'price_x', plan: 'team' })],
      ],
      'active',
      'pro',
    ],
    ['a plan that does not exist is free', [[1, { ...checkout, plan: 'gold' } as PaymentChange]], 'active', 'free'],
  ])('%s', (_title, steps, status, plan) => {
    const state = stateAfter(steps);
    expect([state?.status, planInForce(state)]).toEqual([status, plan]);
  });

  it('before anything was bought is free', () => {
    expect(planInForce(stateAfter([[1, invoice(true)]]))).toBe('free');
  });
});
