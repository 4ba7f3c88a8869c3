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

interface Payment {
  provider: PaymentProvider;
  config: PaymentConfig;
}

export interface BillingServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Null: no billing and no limits. */
  payment: Payment | null;
  onPlanChanged(tenantNo: number): void;
}

/** Plans, checkout, the customer portal and the events of the payment provider. */
export class BillingService {
  readonly #options: BillingServiceOptions;
  readonly #events: PaymentEvents;

  constructor(options: BillingServiceOptions) {
    const { db, payment, onPlanChanged } = options;
    this.#options = options;
    this.#events = new PaymentEvents(db, payment?.config.prices ?? {}, onPlanChanged);
  }

  plans(): { isConfigured: boolean; offers: PlanOffer[] } {
    const { payment } = this.#options;
    return {
      isConfigured: payment !== null,
      offers: PLANS.map((plan) => {
        const price = payment?.config.prices[plan];
        const usdPerMonth = plan === 'free' ? 0 : (price?.usdPerMonth ?? null);
        return { plan, quotas: PLAN_QUOTAS[plan], usdPerMonth, canBuy: price !== undefined };
      }),
    };
  }

  /** @throws AppError `billing_not_configured`, `invalid_body`, `conflict`, `unreachable` */
  async checkout(
    tenantId: string,
    { plan, successUrl, cancelUrl }: { plan: PaidPlan; successUrl: string | null; cancelUrl: string | null },
  ): Promise<{ sessionId: string; url: string; expiresAt: number }> {
    const { provider, config } = this.#requirePayment();
    const price = config.prices[plan];
    if (price === undefined) throw invalidBody('/plan', `the plan ${plan} has no price here`);
    const success = successUrl ?? config.returnUrl;
    if (success === null) throw invalidBody('/success_url', 'is required, because no return URL is configured');
    const state = await this.#readState(await this.#options.tenantNoOf(tenantId));
    if (isInForce(state)) throw new AppError('conflict', 'A subscription exists already; change it in the portal.');
    return provider.checkout({
      priceId: price.priceId,
      plan,
      tenantId,
      customerId: state?.customerId ?? null,
      successUrl: success,
      cancelUrl: cancelUrl ?? config.returnUrl ?? success,
    });
  }

  /** @throws AppError `billing_not_configured`, `conflict` before the first checkout, `unreachable` */
  async portal(tenantId: string, returnUrl: string | null): Promise<string> {
    const { provider, config } = this.#requirePayment();
    const state = await this.#readState(await this.#options.tenantNoOf(tenantId));
    if (!state?.customerId) throw new AppError('conflict', 'There is no subscription yet; start with a checkout.');
    const url = returnUrl ?? config.returnUrl;
    if (url === null)
      throw new AppError('invalid_query', 'Query validation failed.', {
        errors: [{ pointer: '?return_url', message: 'is required, because no return URL is configured' }],
      });
    return provider.portal(state.customerId, url);
  }

  async status(tenantId: string): Promise<BillingStatus> {
    const { db, clock, tenantNoOf, payment } = this.#options;
    const tenantNo = await tenantNoOf(tenantId);
    const used = {
      tracesToday: await readDayTraces(db, tenantNo, utcDay(clock.now())),
      seatsTaken: await countSeats(db, tenantNo, SEAT_SCOPES, clock.now()),
    };
    if (payment === null)
      return { isConfigured: false, plan: 'unlimited', subscription: null, quotas: UNLIMITED, ...used };
    const subscription = await this.#readState(tenantNo);
    const plan = planInForce(subscription);
    return { isConfigured: true, plan, subscription, quotas: PLAN_QUOTAS[plan], ...used };
  }

  /** Processes an event of the payment provider; idempotent. */
  async handleEvent(body: Buffer, signature: string | null): Promise<HandledEvent> {
    const { provider, config } = this.#requirePayment();
    if (config.webhookSecrets.length === 0) throw notConfigured('MISSTEP_STRIPE_WEBHOOK_SECRET');
    if (signature === null)
      throw new AppError('unauthenticated', 'The header payment-signature (or Stripe-Signature) is missing.');
    const now = this.#options.clock.now();
    const event = provider.readEvent(body, signature, now);
    const { change } = event;
    if (change === null) return { isHandled: false, isDuplicate: false };
    return this.#events.handle(event, change, now);
  }

  #requirePayment(): Payment {
    const { payment } = this.#options;
    if (payment === null) throw notConfigured('MISSTEP_STRIPE_KEY');
    return payment;
  }

  async #readState(tenantNo: number): Promise<SubscriptionState | null> {
    return toSubscriptionState(await readSubscription(this.#options.db, tenantNo));
  }
}

function notConfigured(variable: string): AppError {
  return new AppError('billing_not_configured', `Billing is not set up: ${variable} is missing.`);
}

function invalidBody(pointer: string, message: string): AppError {
  return new AppError('invalid_body', 'Request body failed validation.', { errors: [{ pointer, message }] });
}
