import { z } from 'zod';

/** The subscription change in a payment event. Times are Unix milliseconds. */
export type PaymentChange =
  | {
      kind: 'checkout';
      tenantId: string | null;
      customerId: string | null;
      subscriptionId: string;
      plan: string | null;
      isPaid: boolean;
    }
  | {
      kind: 'subscription';
      /** Order of events within one second: created, updated, deleted. */
      rank: number;
      tenantId: string | null;
      customerId: string | null;
      subscriptionId: string;
      status: string;
      priceId: string | null;
      plan: string | null;
      currentPeriodEnd: number | null;
      cancelAtPeriodEnd: boolean;
    }
  | { kind: 'invoice'; customerId: string | null; subscriptionId: string | null; isPaid: boolean };

export interface PaymentEvent {
  id: string;
  type: string;
  createdAt: number;
  /** Null for an event without effect here. */
  change: PaymentChange | null;
}

const seconds = z.number().transform((value) => value * 1000);
/** References are ids, or whole objects if the receiver expanded them. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);
const metadata = z
  .object({ tenant_id: z.string().optional(), plan: z.string().optional() })
  .nullish()
  .transform((values) => values ?? {});

const checkoutSession = z.object({
  mode: z.string().nullish(),
  customer: reference,
  subscription: reference,
  client_reference_id: z.string().nullish(),
  payment_status: z.string().nullish(),
  metadata,
});

const subscription = z.object({
  id: z.string(),
  customer: reference,
  status: z.string(),
  cancel_at_period_end: z.boolean().nullish(),
  /** On the subscription in older versions of the API, on its items in newer ones. */
  current_period_end: seconds.nullish(),
  items: z
    .object({
      data: z.array(z.object({ price: z.object({ id: z.string() }).nullish(), current_period_end: seconds.nullish() })),
    })
    .nullish(),
  metadata,
});

const invoice = z.object({
  customer: reference,
  subscription: reference,
  parent: z.object({ subscription_details: z.object({ subscription: reference }).nullish() }).nullish(),
});

const envelope = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: seconds,
  data: z.object({ object: z.unknown() }),
});

const SUBSCRIPTION_RANK: Readonly<Record<string, number>> = {
  'customer.subscription.created': 1,
  'customer.subscription.updated': 2,
  'customer.subscription.deleted': 3,
};

/** @throws ZodError if an event of a handled type lacks a required member */
export function toPaymentEvent(raw: unknown): PaymentEvent {
  const { id, type, created, data } = envelope.parse(raw);
  return { id, type, createdAt: created, change: toChange(type, data.object) };
}

function toChange(type: string, object: unknown): PaymentChange | null {
  if (type === 'checkout.session.completed') return toCheckout(checkoutSession.parse(object));
  if (type === 'invoice.paid' || type === 'invoice.payment_failed') {
    const read = invoice.parse(object);
    const subscriptionId = read.subscription ?? read.parent?.subscription_details?.subscription ?? null;
    return { kind: 'invoice', customerId: read.customer, subscriptionId, isPaid: type === 'invoice.paid' };
  }
  const rank = SUBSCRIPTION_RANK[type];
  return rank === undefined ? null : toSubscription(rank, subscription.parse(object));
}

function toCheckout(session: z.output<typeof checkoutSession>): PaymentChange | null {
  if (session.mode !== 'subscription' || session.subscription === null) return null;
  return {
    kind: 'checkout',
    tenantId: session.metadata.tenant_id ?? session.client_reference_id ?? null,
    customerId: session.customer,
    subscriptionId: session.subscription,
    plan: session.metadata.plan ?? null,
    isPaid: session.payment_status !== 'unpaid',
  };
}

function toSubscription(rank: number, read: z.output<typeof subscription>): PaymentChange {
  const item = read.items?.data[0];
  return {
    kind: 'subscription',
    rank,
    tenantId: read.metadata.tenant_id ?? null,
    customerId: read.customer,
    subscriptionId: read.id,
    status: rank === 3 ? 'canceled' : read.status,
    priceId: item?.price?.id ?? null,
    plan: read.metadata.plan ?? null,
    currentPeriodEnd: item?.current_period_end ?? read.current_period_end ?? null,
    cancelAtPeriodEnd: read.cancel_at_period_end ?? false,
  };
}
