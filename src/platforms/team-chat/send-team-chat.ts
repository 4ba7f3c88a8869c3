import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import type { Post } from '../outbound/post.ts';
import { toSendOutcome } from '../outbound/send-outcome.ts';
import { renderTeamChat } from './render-team-chat.ts';

export async function sendTeamChat(
  message: { url: string; content: AlertContent },
  { post, clock }: { post: Post; clock: Clock },
): Promise<SendOutcome> {
  const body = JSON.stringify(renderTeamChat(message.content));
  return toSendOutcome(await post({ url: message.url, headers: {}, body }), clock.now());
}
