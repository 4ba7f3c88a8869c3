import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Post } from '../outbound/post.ts';
import { toSendOutcome } from '../outbound/send-outcome.ts';
import type { OutboundAnswer } from '../outbound/send-request.ts';
import { renderDiscord } from './render-discord.ts';

export async function sendDiscord(
  message: { url: string; content: AlertContent },
  { post, clock }: { post: Post; clock: Clock },
): Promise<SendOutcome> {
  const body = JSON.stringify(renderDiscord(message.content));
  const answer = await post({ url: withWait(message.url), headers: {}, body });
  const outcome = toSendOutcome(answer, clock.now());
  if (outcome.kind !== 'retry') return outcome;
  return { ...outcome, afterMs: Math.max(outcome.afterMs ?? 0, pauseInBody(answer)) || null };
}

/** Without `wait` Discord responds before it has stored the message. */
function withWait(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  parsed.searchParams.set('wait', 'true');
  return parsed.href;
}

/** Discord also sends the delay in the body, in fractional seconds and more precise than the header. */
function pauseInBody(answer: OutboundAnswer): number {
  if (answer.kind !== 'answered' || answer.status !== 429) return 0;
  const body = parseJson(answer.body);
  const seconds = isJsonObject(body) ? body.retry_after : null;
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds * 1_000) : 0;
}
