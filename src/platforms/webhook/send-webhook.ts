import { Webhook } from 'standardwebhooks';
import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Post } from '../outbound/post.ts';
import { toSendOutcome } from '../outbound/send-outcome.ts';
import { renderWebhook } from './render-webhook.ts';

/**
 * Signed after Standard Webhooks (github.com/standard-webhooks, spec v1). `id` is the same for every attempt, so that a
 * receiver can detect duplicates.
 */
export async function sendWebhook(
  message: { id: string; url: string; secret: string; content: AlertContent; createdAt: number },
  { post, clock }: { post: Post; clock: Clock },
): Promise<SendOutcome> {
  const body = JSON.stringify(renderWebhook(message.content, message.createdAt));
  const now = clock.now();
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': new Webhook(message.secret).sign(message.id, new Date(now), body),
  };
  return toSendOutcome(await post({ url: message.url, headers, body }), clock.now());
}
