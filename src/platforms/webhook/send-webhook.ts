import { Webhook } from 'standardwebhooks';
import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import { judgeAnswer } from '../outbound/judge-answer.ts';
import type { Post } from '../outbound/post.ts';
import { renderWebhook } from './render-webhook.ts';

/**
 * Signed after Standard Webhooks (github.com/standard-webhooks, spec v1). `id` stays the same through every try, so a
 * receiver can tell a repetition.
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
  return judgeAnswer(await post({ url: message.url, headers, body }), clock.now());
}
