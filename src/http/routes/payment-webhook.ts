import type Router from '@koa/router';
import { answerJson } from '../answer.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

export const PAYMENT_WEBHOOK_PATH = `${API_PREFIX}/billing/webhooks/payment`;

const MAX_BYTES = 1024 * 1024;
const LIMITS = { maxSentBytes: MAX_BYTES, maxUnpackedBytes: MAX_BYTES };

/** Events of the payment provider. The signature is over the bytes as they came, so no JSON is read before it holds. */
export function paymentWebhookRoutes({ bodies, services }: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.post(PAYMENT_WEBHOOK_PATH, async (context) => {
    const ctx = context as HttpContext;
    ctx.state.route = 'billing.payment-webhook';
    services.storage.assertWritable();
    const signature = ctx.get('payment-signature') || ctx.get('stripe-signature') || null;
    const taken = await bodies.withBody(ctx.req, LIMITS, (body) => services.billing.takeEvent(body, signature));
    answerJson(ctx, 200, { received: true, handled: taken.isHandled, duplicate: taken.isDuplicate });
  });
  return router;
}
