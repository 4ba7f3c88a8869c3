import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { PLANS, type Quotas } from './plans.ts';

const quotas = z.object({
  traces_per_day: z.int().nullable().describe('New traces per UTC day; null: unlimited'),
  retention_days: z.int().nullable().describe('Maximum retention of traces'),
  seats: z.int().nullable().describe('Keys with the scope write or admin'),
});
const plan = z.enum(PLANS);
const address = z.url({ protocol: /^https?$/ }).max(2_000);

export const listPlansOperation = defineOperation({
  id: 'billing.plans',
  method: 'GET',
  path: '/billing/plans',
  summary: 'Plans and their quotas; an instance without billing has no limits',
  access: { kind: 'public' },
  output: z.object({
    configured: z.boolean(),
    currency: z.literal('usd'),
    items: z.array(
      z.object({
        plan,
        quotas,
        price_per_month: z.number().nullable().describe('Null if the operator does not report it'),
        can_buy: z.boolean(),
      }),
    ),
    total: z.int(),
  }),
  status: 200,
  async run(services) {
    const { isConfigured, offers } = services.billing.plans();
    const items = offers.map((offer) => ({
      plan: offer.plan,
      quotas: toQuotas(offer.quotas),
      price_per_month: offer.usdPerMonth,
      can_buy: offer.canBuy,
    }));
    return { configured: isConfigured, currency: 'usd' as const, items, total: items.length };
  },
});

export const checkoutOperation = defineOperation({
  id: 'billing.checkout',
  method: 'POST',
  path: '/billing/checkout',
  summary: 'Creates a checkout session at the payment provider; the plan applies once its payment is reported',
  access: { kind: 'tenant', scope: 'admin' },
  body: z.strictObject({
    plan: plan.exclude(['free']),
    success_url: address.optional().describe('Needed where the instance has no return address'),
    cancel_url: address.optional(),
  }),
  output: z.object({ session_id: z.string(), checkout_url: z.string(), expires_at: z.iso.datetime() }),
  status: 201,
  async run(services, input, caller) {
    const checkout = { plan: input.plan, successUrl: input.success_url ?? null, cancelUrl: input.cancel_url ?? null };
    const session = await services.billing.checkout(tenantOfCaller(caller), checkout);
    return {
      session_id: session.sessionId,
      checkout_url: session.url,
      expires_at: new Date(session.expiresAt).toISOString(),
    };
  },
});

export const portalOperation = defineOperation({
  id: 'billing.portal',
  method: 'GET',
  path: '/billing/portal',
  summary: 'Returns the portal with invoices, where the subscription is changed or cancelled',
  access: { kind: 'tenant', scope: 'admin' },
  query: z.object({ return_url: address.optional() }),
  output: z.object({ portal_url: z.string() }),
  status: 200,
  errorCodes: ['billing_not_configured'],
  run: async (services, input, caller) => ({
    portal_url: await services.billing.portal(tenantOfCaller(caller), input.return_url ?? null),
  }),
});

export const billingStatusOperation = defineOperation({
  id: 'billing.status',
  method: 'GET',
  path: '/billing/status',
  summary: 'Plan, quotas and their current use',
  access: { kind: 'tenant', scope: 'read' },
  output: z.object({
    configured: z.boolean(),
    plan: z.enum([...PLANS, 'unlimited']).describe('In force now'),
    subscription: z
      .object({
        plan,
        status: z.string().describe('Status that the payment provider reported'),
        current_period_end: z.iso.datetime().nullable(),
        cancel_at_period_end: z.boolean(),
      })
      .nullable(),
    quotas,
    usage: z.object({ traces_today: z.int(), seats: z.int().describe('Keys with the scope write or admin') }),
  }),
  status: 200,
  async run(services, _input, caller) {
    const status = await services.billing.status(tenantOfCaller(caller));
    const { subscription } = status;
    return {
      configured: status.isConfigured,
      plan: status.plan,
      subscription: subscription && {
        plan: subscription.plan,
        status: subscription.status,
        current_period_end:
          subscription.currentPeriodEnd === null ? null : new Date(subscription.currentPeriodEnd).toISOString(),
        cancel_at_period_end: subscription.cancelAtPeriodEnd,
      },
      quotas: toQuotas(status.quotas),
      usage: { traces_today: status.tracesToday, seats: status.seatsTaken },
    };
  },
});

function toQuotas({ tracesPerDay, retentionDays, seats }: Quotas) {
  return { traces_per_day: tracesPerDay, retention_days: retentionDays, seats };
}

export const billingOperations = [listPlansOperation, checkoutOperation, portalOperation, billingStatusOperation];
