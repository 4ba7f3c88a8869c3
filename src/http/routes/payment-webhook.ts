import type Router from '@koa/router';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { toBodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { respondJson } from '../respond.ts';

export const PAYMENT_WEBHOOK_PATH = `${API_PREFIX}/billing/webhooks/payment`;

/** Events of the payment provider. The signature covers the bytes as received, so it is verified before the JSON is parsed. */
export function paymentWebhookRoutes({ bodies, config, services, proxies }: RouterParts): Router<HttpState> {
  const limits = toBodyLimits(BODY_LIMITS.events, config);
  const router = createRouter();
  router.post(PAYMENT_WEBHOOK_PATH, async (context) => {
    const ctx = context as HttpContext;
    ctx.state.route = 'billing.payment-webhook';
    services.storage.assertWritable();
    const signature = ctx.get('payment-signature') || ctx.get('stripe-signature') || null;
    const eventBody = await bodies.withBody(ctx.req, proxies.clientOf(ctx.req), limits, (body) =>
      services.billing.handleEvent(body, signature),
    );
    respondJson(ctx, 200, { received: true, handled: eventBody.isHandled, duplicate: eventBody.isDuplicate });
  });
  return router;
}
