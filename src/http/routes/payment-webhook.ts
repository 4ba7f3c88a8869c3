import type Router from '@koa/router';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { answerJson } from '../answer.ts';
import { toBodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

export const PAYMENT_WEBHOOK_PATH = `${API_PREFIX}/billing/webhooks/payment`;

/** Events of the payment provider. The signature is over the bytes as they came, so no JSON is read before it holds. */
export function paymentWebhookRoutes({ bodies, config, services, proxies }: RouterParts): Router<HttpState> {
  const limits = toBodyLimits(BODY_LIMITS.events, config);
  const router = createRouter();
  router.post(PAYMENT_WEBHOOK_PATH, async (context) => {
    const ctx = context as HttpContext;
    ctx.state.route = 'billing.payment-webhook';
    services.storage.assertWritable();
    const signature = ctx.get('payment-signature') || ctx.get('stripe-signature') || null;
    const taken = await bodies.withBody(ctx.req, proxies.clientOf(ctx.req), limits, (body) =>
      services.billing.takeEvent(body, signature),
    );
    answerJson(ctx, 200, { received: true, handled: taken.isHandled, duplicate: taken.isDuplicate });
  });
  return router;
}
