import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { PaymentConfig, PaymentProvider } from '../../platforms/stripe/payment-provider.ts';
import { countSeats } from '../../store/api-key.store.ts';
import { readSubscription } from '../../store/billing.store.ts';
import { readDayTraces } from '../../store/figure.store.ts';
import type { Database } from '../../store/schema.ts';
import { SEAT_SCOPES } from '../identity/api-key.service.ts';
import { utcDay } from '../metrics/figure-growth.ts';
import { type HandledEvent, PaymentEvents } from './payment-events.ts';
import { type PaidPlan, PLAN_QUOTAS, PLANS, type Plan, type Quotas, UNLIMITED } from './plans.ts';
import { toSubscriptionState } from './subscription-row.ts';
import { isInForce, planInForce, type SubscriptionState } from './subscription-state.ts';

export interface PlanOffer {
  plan: Plan;
  quotas: Quotas;
  /** Null if it is not reported. */
  usdPerMonth: number | null;
  canBuy: boolean;
}

export interface BillingStatus {
  isConfigured: boolean;
  plan: Plan | 'unlimited';
  subscription: SubscriptionState | null;
  quotas: Quotas;
  tracesToday: number;
  /** Keys that use a seat. */
  seatsTaken: number;
}

export interface BillingService {
  plans(): { isConfigured: boolean; offers: PlanOffer[] };
  /** @throws AppError `billing_not_configured`, `invalid_body`, `conflict`, `unreachable` */
  checkout(
    tenantId: string,
    request: { plan: PaidPlan; successUrl: string | null; cancelUrl: string | null },
  ): Promise<{ sessionId: string; url: string; expiresAt: number }>;
  /** @throws AppError `billing_not_configured`, `conflict` before the first checkout, `unreachable` */
  portal(tenantId: string, returnUrl: string | null): Promise<string>;
  status(tenantId: string): Promise<BillingStatus>;
  /** Processes an event of the payment provider; idempotent. */
  handleEvent(body: Buffer, signature: string | null): Promise<HandledEvent>;
}

export function createBillingService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Null: no billing and no limits. */
  payment: { provider: PaymentProvider; config: PaymentConfig } | null;
  onPlanChanged(tenantNo: number): void;
}): BillingService {
  const { db, clock, tenantNoOf, payment } = options;
  const events = new PaymentEvents(db, payment?.config.prices ?? {}, options.onPlanChanged);
  const stateOf = async (tenantNo: number) => toSubscriptionState(await readSubscription(db, tenantNo));

  return {
    plans: () => ({
      isConfigured: payment !== null,
      offers: PLANS.map((plan) => {
        const price = payment?.config.prices[plan];
        const usdPerMonth = plan === 'free' ? 0 : (price?.usdPerMonth ?? null);
        return { plan, quotas: PLAN_QUOTAS[plan], usdPerMonth, canBuy: price !== undefined };
      }),
    }),
    async checkout(tenantId, { plan, successUrl, cancelUrl }) {
      const { provider, config } = configured(payment);
      const price = config.prices[plan];
      if (price === undefined) throw invalid('/plan', `the plan ${plan} has no price here`);
      const success = successUrl ?? config.returnUrl ?? missing('/success_url');
      const state = await stateOf(await tenantNoOf(tenantId));
      if (isInForce(state)) throw new AppError('conflict', 'A subscription exists already; change it in the portal.');
      return provider.checkout({
        priceId: price.priceId,
        plan,
        tenantId,
        customerId: state?.customerId ?? null,
        successUrl: success,
        cancelUrl: cancelUrl ?? config.returnUrl ?? success,
      });
    },
    async portal(tenantId, returnUrl) {
      const { provider, config } = configured(payment);
      const state = await stateOf(await tenantNoOf(tenantId));
      if (!state?.customerId) throw new AppError('conflict', 'There is no subscription yet; start with a checkout.');
      const url = returnUrl ?? config.returnUrl;
      if (url === null)
        throw new AppError('invalid_query', 'Query validation failed.', {
          errors: [{ pointer: '?return_url', message: 'is required, because no return URL is configured' }],
        });
      return provider.portal(state.customerId, url);
    },
    async status(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      const used = {
        tracesToday: await readDayTraces(db, tenantNo, utcDay(clock.now())),
        seatsTaken: await countSeats(db, tenantNo, SEAT_SCOPES, clock.now()),
      };
      if (payment === null)
        return { isConfigured: false, plan: 'unlimited', subscription: null, quotas: UNLIMITED, ...used };
      const subscription = await stateOf(tenantNo);
      const plan = planInForce(subscription);
      return { isConfigured: true, plan, subscription, quotas: PLAN_QUOTAS[plan], ...used };
    },
    async handleEvent(body, signature) {
      const { provider, config } = configured(payment);
      if (config.webhookSecrets.length === 0) throw notConfigured('MISSTEP_STRIPE_WEBHOOK_SECRET');
      if (signature === null)
        throw new AppError('unauthenticated', 'The header payment-signature (or Stripe-Signature) is missing.');
      const now = clock.now();
      const event = provider.readEvent(body, signature, now);
      const { change } = event;
      if (change === null) return { isHandled: false, isDuplicate: false };
      return events.handle(event, change, now);
    },
  };
}

function configured<Payment>(payment: Payment | null): Payment {
  if (payment === null) throw notConfigured('MISSTEP_STRIPE_KEY');
  return payment;
}

function notConfigured(variable: string): AppError {
  return new AppError('billing_not_configured', `Billing is not set up: ${variable} is missing.`);
}

function missing(pointer: string): never {
  throw invalid(pointer, 'is required, because no return URL is configured');
}

function invalid(pointer: string, message: string): AppError {
  return new AppError('invalid_body', 'Request body failed validation.', { errors: [{ pointer, message }] });
}
