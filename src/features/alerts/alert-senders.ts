import type { AlertContent, SendOutcome } from '../../core/alert.ts';
import type { Clock } from '../../core/clock.ts';
import { sendDiscord } from '../../platforms/discord/send-discord.ts';
import type { Post } from '../../platforms/outbound/post.ts';
import { sendSlack } from '../../platforms/slack/send-slack.ts';
import type { SendMail } from '../../platforms/smtp/send-mail.ts';
import { sendWebhook } from '../../platforms/webhook/send-webhook.ts';
import type { AlertTarget } from './alert-targets.ts';
import { NO_MAIL_SERVER } from './channel-state.ts';
import type { Preferences } from './preferences.ts';

export interface AlertMessage {
  id: string;
  content: AlertContent;
  createdAt: number;
}

/** Sends one message to one receiver by the current preferences; null if they no longer name it. */
export type SendAlert = (
  message: AlertMessage,
  to: AlertTarget,
  preferences: Preferences,
) => Promise<SendOutcome | null>;

export function createSendAlert(options: { post: Post; sendMail: SendMail | null; clock: Clock }): SendAlert {
  const { sendMail } = options;
  return async ({ id, content, createdAt }, { channel, target }, { channels }) => {
    if (!channels[channel].enabled) return null;
    if (channel === 'email') {
      if (!channels.email.addresses.includes(target)) return null;
      if (sendMail === null) return { kind: 'retry', reason: NO_MAIL_SERVER, afterMs: null, isPaced: false };
      return sendMail({ id: `${id}.${toAtom(target)}`, to: target, content });
    }
    const url = channels[channel].webhook_url;
    if (url === null) return null;
    if (channel === 'team_chat') return sendSlack({ url, content }, options);
    if (channel === 'community_chat') return sendDiscord({ url, content }, options);
    const { secret } = channels.webhook;
    return secret === null ? null : sendWebhook({ id, url, secret, content, createdAt }, options);
  };
}

/** Text that is valid in a message id (RFC 5322). */
function toAtom(address: string): string {
  return Buffer.from(address).toString('base64url');
}
