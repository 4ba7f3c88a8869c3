import Stripe from 'stripe';
import { AppError } from '../../core/app-error.ts';
import { plainLine } from '../../core/plain-text.ts';
import { toPaymentEvent } from './payment-event.ts';
import type { PaymentConfig, PaymentProvider } from './payment-provider.ts';

const TIMEOUT_MS = 15_000;
const TOLERANCE_SECONDS = 300;

/** Stripe through its own library. */
export function createStripeProvider(config: PaymentConfig): PaymentProvider {
  const stripe = new Stripe(config.secretKey, {
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...config.address,
  });
  return {
    async checkout({ priceId, plan, tenantId, customerId, successUrl, cancelUrl }) {
      const metadata = { tenant_id: tenantId, plan };
      const session = await stripe.checkout.sessions
        .create({
          mode: 'subscription',
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: tenantId,
          metadata,
          subscription_data: { metadata },
          ...(customerId === null ? {} : { customer: customerId }),
          success_url: successUrl,
          cancel_url: cancelUrl,
        })
        .catch(toAppError);
      if (!session.url) throw new AppError('unreachable', 'The payment provider returned no URL.');
      return { sessionId: session.id, url: session.url, expiresAt: session.expires_at * 1000 };
    },
    async portal(customerId, returnUrl) {
      const session = await stripe.billingPortal.sessions
        .create({ customer: customerId, return_url: returnUrl })
        .catch(toAppError);
      return session.url;
    },
    readEvent(body, signature, now) {
      assertNotFuture(signature, now);
      const raw = verified(stripe, config.webhookSecrets, body, signature, now);
      try {
        return toPaymentEvent(raw);
      } catch (error) {
        throw new AppError('invalid_body', 'The event lacks required members of its type.', { cause: error });
      }
    },
  };
}

function verified(stripe: Stripe, secrets: readonly string[], body: Buffer, signature: string, now: number): unknown {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now);
    } catch (error) {
      if (error instanceof SyntaxError) throw new AppError('malformed', 'The body is not JSON.');
      // It may be signed with another secret.
    }
  }
  throw new AppError('unauthenticated', 'The payment signature is invalid or more than five minutes old.');
}

/** The library checks only the age: a time far in the future would make a signature that never expires. */
function assertNotFuture(signature: string, now: number): void {
  const times = signature.split(',').filter((part) => part.startsWith('t='));
  const seconds = Number(times[0]?.slice(2));
  if (times.length === 1 && seconds * 1000 <= now + TOLERANCE_SECONDS * 1000) return;
  throw new AppError('unauthenticated', 'The payment signature has no time within five minutes of now.');
}

/** The library's message may contain parts of the key if it was rejected. */
function toAppError(error: unknown): never {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'StripeRateLimitError')
    throw new AppError('unavailable', 'The payment provider limits the request rate.', { retryAfterSeconds: 5 });
  if (type === 'StripeInvalidRequestError')
    throw new AppError(
      'unreachable',
      `The payment provider rejected the request: ${plainLine(String(message).slice(0, 300))}`,
    );
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError')
    throw new AppError('unreachable', 'The payment provider rejected the configured key.');
  throw new AppError('unreachable', 'The payment provider does not answer.', { cause: error });
}
