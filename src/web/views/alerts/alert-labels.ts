import type { Alert, AlertChannel, AlertDelivery, ChannelStatus } from '../../../client/misstep-client.generated.ts';

export const CHANNELS = ['team_chat', 'community_chat', 'email', 'webhook'] as const satisfies readonly AlertChannel[];

export const CHANNEL_LABELS: Readonly<Record<AlertChannel, string>> = {
  team_chat: 'Slack',
  community_chat: 'Discord',
  email: 'Email',
  webhook: 'Webhook',
};

export const STATUS_LABELS: Readonly<Record<ChannelStatus['state'], string>> = {
  off: 'off',
  ok: 'on',
  failing: 'failing',
  disabled: 'switched off: the receiver no longer exists',
  unavailable: 'this server cannot send email',
};

export const ALERT_STATE_LABELS: Readonly<Record<Alert['state'], string>> = {
  sent: 'sent',
  held: 'held',
  dropped: 'not sent',
};

/** `Webhook: delivered`, `Email a@b.example: failed after 3 attempts. The receiver answered 500.` */
export function deliveryText({ channel, target, state, attempts, problem }: AlertDelivery): string {
  const attemptsText = state === 'failed' && attempts > 1 ? ` after ${attempts} attempts` : '';
  return `${receiverText(channel, target)}: ${state}${attemptsText}${problem === null ? '' : `. ${problem}`}`;
}

export function receiverText(channel: AlertChannel, target: string | null): string {
  return target === null ? CHANNEL_LABELS[channel] : `${CHANNEL_LABELS[channel]} ${target}`;
}
