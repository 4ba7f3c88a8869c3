import { describe, expect, it } from 'vitest';
import type { PaymentChange } from '../../platforms/stripe/payment-event.ts';
import {
  nextSubscription,
  planForRetention,
  planInForce,
  RETENTION_GRACE_MS,
  type SubscriptionState,
} from './subscription-state.ts';

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
      'a payment reactivates it',
      [
        [1, subscription(2, 'past_due')],
        [2, invoice(true)],
      ],
      'active',
      'pro',
    ],
    [
      'an older payment changes nothing',
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
      'an unknown price keeps the plan',
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

const ACTIVE: SubscriptionState = {
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  plan: 'pro',
  status: 'active',
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  eventAt: 100,
  eventRank: 2,
};
const next = (state: SubscriptionState | null, change: PaymentChange, at: number) =>
  nextSubscription(state, change, at, planOfPrice);

describe('one event after another', () => {
  const other = { subscriptionId: 'sub_2' };
  const named = (change: object) => ({ ...checkout, ...change }) as PaymentChange;

  it.each<[string, SubscriptionState | null, PaymentChange, number, Partial<SubscriptionState> | null]>([
    [
      'a checkout starts a subscription, and counts as older than each of its events',
      null,
      checkout,
      50,
      { ...ACTIVE, eventAt: 0, eventRank: 0 },
    ],
    ['a checkout that is not paid', null, named({ isPaid: false }), 50, { status: 'incomplete', plan: 'pro' }],
    ['a checkout without a plan', null, named({ plan: null }), 50, { plan: 'free' }],
    ['a checkout adds the customer', { ...ACTIVE, customerId: null }, checkout, 50, { ...ACTIVE, customerId: 'cus_1' }],
    ['a checkout changes no customer', ACTIVE, named({ customerId: 'cus_2' }), 200, null],
    [
      'a checkout without a customer adds none',
      { ...ACTIVE, customerId: null },
      named({ customerId: null }),
      200,
      null,
    ],
    [
      'a checkout keeps the known customer',
      ACTIVE,
      named({ customerId: null, ...other }),
      200,
      { customerId: 'cus_1' },
    ],
    ['a checkout of another subscription that is older', ACTIVE, named(other), 99, null],
    ['a checkout of another subscription of the same second', ACTIVE, named(other), 100, { subscriptionId: 'sub_2' }],
    ['an event of lower rank of the same second', ACTIVE, subscription(1, 'unpaid'), 100, null],
    ['an event of the same rank of the same second', ACTIVE, subscription(2, 'unpaid'), 100, { status: 'unpaid' }],
    ['an older event of higher rank', ACTIVE, subscription(3, 'unpaid'), 99, null],
    [
      'an event after a checkout that named none',
      { ...ACTIVE, subscriptionId: null },
      subscription(1, 'active'),
      50,
      { eventAt: 50 },
    ],
    ['an event without a price, first', null, subscription(1, 'active', { priceId: null }), 5, { plan: 'pro' }],
    [
      'an event without a price or a known plan',
      null,
      subscription(1, 'active', { priceId: null, plan: 'gold' }),
      5,
      { plan: 'free' },
    ],
    [
      'an event without a price or a plan',
      null,
      subscription(1, 'active', { priceId: null, plan: null }),
      5,
      { plan: 'free' },
    ],
    [
      'another subscription of the same second',
      ACTIVE,
      subscription(1, 'active', other),
      100,
      { subscriptionId: 'sub_2' },
    ],
    ['another subscription that is older', ACTIVE, subscription(1, 'active', other), 99, null],
    [
      'another subscription that has ended',
      { ...ACTIVE, status: 'canceled' },
      subscription(1, 'canceled', other),
      200,
      null,
    ],
    ['another subscription that is not paid', ACTIVE, subscription(1, 'incomplete', other), 200, null],
    [
      'another unpaid one after an ended one',
      { ...ACTIVE, status: 'canceled' },
      subscription(1, 'incomplete', other),
      200,
      { status: 'incomplete' },
    ],
    [
      'a payment of the same second',
      { ...ACTIVE, status: 'past_due' },
      invoice(true),
      100,
      { status: 'active', eventAt: 100, eventRank: 0 },
    ],
    ['a payment of an active one', ACTIVE, invoice(true), 200, null],
    ['a failed payment of a trial', { ...ACTIVE, status: 'trialing' }, invoice(false), 200, { status: 'past_due' }],
    ['a failed payment of an unpaid one', { ...ACTIVE, status: 'unpaid' }, invoice(false), 200, null],
    ['a payment before anything was bought', null, invoice(true), 200, null],
  ])('%s', (_title, state, change, at, expected) => {
    const after = next(state, change, at);
    if (expected === null) expect(after).toBeNull();
    else expect(after).toMatchObject(expected);
  });
});

describe('the plan that limits retention', () => {
  const DAY_MS = 86_400_000;
  const ended = { ...ACTIVE, status: 'canceled' };

  it.each<[string, SubscriptionState | null, number, string]>([
    ['that is in force', ACTIVE, 100 + 20 * DAY_MS, 'pro'],
    ['that ended less than two weeks ago', ended, 99 + 14 * DAY_MS, 'pro'],
    ['that ended two weeks ago', ended, 100 + 14 * DAY_MS, 'free'],
    ['without a subscription', null, 0, 'free'],
  ])('%s', (_title, state, now, plan) => {
    expect(planForRetention(state, now)).toBe(plan);
  });

  it('has a grace of two weeks', () => {
    expect(RETENTION_GRACE_MS).toBe(14 * DAY_MS);
  });
});
