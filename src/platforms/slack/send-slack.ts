import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Post } from '../outbound/post.ts';
import { toSendOutcome } from '../outbound/send-outcome.ts';
import { renderSlack } from './render-slack.ts';

export async function sendSlack(
  message: { url: string; content: AlertContent },
  { post, clock }: { post: Post; clock: Clock },
): Promise<SendOutcome> {
  const body = JSON.stringify(renderSlack(message.content));
  return toSendOutcome(await post({ url: message.url, headers: {}, body }), clock.now());
}
