import type { Kysely } from 'kysely';
import type { PaymentChange, PaymentEvent } from '../../platforms/stripe/payment-event.ts';
import type { PaymentConfig } from '../../platforms/stripe/payment-provider.ts';
import {
  claimBillingEvent,
  pruneBillingEvents,
  readSubscription,
  saveSubscription,
  tenantOfCustomer,
} from '../../store/billing.store.ts';
import type { Db } from '../../store/connection.ts';
import type { Database } from '../../store/schema.ts';
import { resolveTenant } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { isPlan, type Plan } from './plans.ts';
import { toSubscriptionRow, toSubscriptionState } from './subscription-row.ts';
import { nextSubscription } from './subscription-state.ts';

/** The provider resends an event for days, not for weeks. */
const KEEP_EVENTS_MS = 30 * 24 * 3_600_000;
const NO_TENANT = 0;

export interface HandledEvent {
  isHandled: boolean;
  isDuplicate: boolean;
}

/** Applies events of the payment provider to subscriptions, one after the other; each event once. */
export class PaymentEvents {
  readonly #db: Kysely<Database>;
  readonly #prices: PaymentConfig['prices'];
  readonly #onPlanChanged: (tenantNo: number) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<Database>, prices: PaymentConfig['prices'], onPlanChanged: (tenantNo: number) => void) {
    this.#db = db;
    this.#prices = prices;
    this.#onPlanChanged = onPlanChanged;
  }

  /** Serialized: each event builds on the state that the previous one left. */
  handle(event: PaymentEvent, change: PaymentChange, now: number): Promise<HandledEvent> {
    const handled = this.#last.then(() => this.#apply(event, change, now));
    this.#last = handled.catch(() => {});
    return handled;
  }

  async #apply(event: PaymentEvent, change: PaymentChange, now: number): Promise<HandledEvent> {
    const applied = await inTransaction(this.#db, async (transaction) => {
      const tenantNo = await tenantOf(transaction, change);
      const ids = { event_id: event.id, tenant_no: tenantNo, type: event.type };
      const isFirst = await claimBillingEvent(transaction, { ...ids, created_at: event.createdAt, received_at: now });
      if (!isFirst || tenantNo === NO_TENANT) return { tenantNo, isFirst };
      const state = toSubscriptionState(await readSubscription(transaction, tenantNo));
      const next = nextSubscription(state, change, event.createdAt, (priceId) => this.#planOfPrice(priceId));
      if (next !== null) await saveSubscription(transaction, toSubscriptionRow(tenantNo, next, now));
      return { tenantNo, isFirst };
    });
    this.#onPlanChanged(applied.tenantNo);
    await pruneBillingEvents(this.#db, now - KEEP_EVENTS_MS);
    return { isHandled: applied.tenantNo !== NO_TENANT, isDuplicate: !applied.isFirst };
  }

  #planOfPrice(priceId: string): Plan | null {
    const found = Object.entries(this.#prices).find(([, price]) => price.priceId === priceId);
    return found && isPlan(found[0]) ? found[0] : null;
  }
}

async function tenantOf(transaction: Db, change: PaymentChange): Promise<number> {
  const named = change.kind === 'invoice' ? null : change.tenantId;
  if (named !== null) return (await resolveTenant(transaction, named)) ?? NO_TENANT;
  if (change.customerId === null) return NO_TENANT;
  return (await tenantOfCustomer(transaction, change.customerId)) ?? NO_TENANT;
}
