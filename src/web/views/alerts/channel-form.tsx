import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { AlertChannel, NotificationPreferences } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { CHANNEL_LABELS, STATUS_LABELS } from './alert-labels.ts';
import style from './alerts-view.module.css';
import type { SaveAlerts } from './save-alerts.ts';

const FIELDS: Readonly<Record<AlertChannel, { label: string; hint: string }>> = {
  team_chat: { label: 'Webhook URL', hint: 'An incoming webhook of Slack, Mattermost or Rocket.Chat.' },
  community_chat: { label: 'Webhook URL', hint: 'A webhook of a Discord channel.' },
  email: { label: 'Addresses', hint: 'Separate several addresses with commas.' },
  webhook: { label: 'URL', hint: 'Receives signed JSON (Standard Webhooks).' },
};

const UNSAVED_LABELS = { true: 'on when saved', false: 'off when saved' } as const;

interface ChannelFormProps {
  channel: AlertChannel;
  channels: NotificationPreferences['channels'];
  save: SaveAlerts;
}

/** One channel: its target, whether it is on, and the outcome of its last delivery. */
export function ChannelForm({ channel, channels, save }: ChannelFormProps) {
  const { enabled, status } = channels[channel];
  const savedTarget = targetOf(channels, channel);
  const isOn = useSignal(enabled);
  const target = useSignal(savedTarget);
  const targetProblem = useSignal<string | null>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const title = CHANNEL_LABELS[channel];
  const canEdit = hasScope('write');

  async function change(isEnabled: boolean, text: string, successMessage: string): Promise<void> {
    const channelChange = { channels: { [channel]: { enabled: isEnabled, ...membersOf(channel, text) } } };
    targetProblem.value = await save(channelChange, successMessage, `/channels/${channel}`);
    if (targetProblem.value !== null) formElement.current?.querySelector<HTMLInputElement>('[type="text"]')?.focus();
  }

  function submit(event: Event) {
    event.preventDefault();
    void change(isOn.value, target.value, `${title} is saved.`);
  }

  return (
    <form ref={formElement} class={style.channel} onSubmit={submit} noValidate aria-label={title}>
      <div class={style.channelHead}>
        <h3>{title}</h3>
        {canEdit ? (
          <label class={form.choice}>
            <input
              type="checkbox"
              aria-label={`${title} on`}
              checked={isOn.value}
              onChange={({ currentTarget }) => {
                isOn.value = currentTarget.checked;
              }}
            />
            <span>{isOn.value === enabled ? STATUS_LABELS[status.state] : UNSAVED_LABELS[`${isOn.value}`]}</span>
          </label>
        ) : (
          <span>{STATUS_LABELS[status.state]}</span>
        )}
      </div>
      {canEdit ? (
        <Field
          {...FIELDS[channel]}
          value={target.value}
          error={targetProblem.value}
          autocomplete="off"
          onChange={(text) => {
            // Entering the first address switches the channel on.
            if (savedTarget === '') isOn.value = text.trim() !== '';
            target.value = text;
            targetProblem.value = null;
          }}
        />
      ) : (
        <p>{savedTarget === '' ? 'Not set up.' : <PlainText text={savedTarget} />}</p>
      )}
      {status.problem !== null && (
        <p class={style.refused}>
          <PlainText text={status.problem} />
        </p>
      )}
      {status.last_delivered_at !== null && (
        <p class={style.quietText}>{`Last delivery ${timeText(status.last_delivered_at)} (${ZONE})`}</p>
      )}
      {canEdit && (
        <div class={style.channelActions}>
          <Button type="submit" label={`Save ${title}`}>
            Save
          </Button>
          {savedTarget !== '' && (
            <Button
              variant="danger"
              label={`Remove ${title}`}
              onClick={() => void change(false, '', `${title} is removed.`)}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

/** The server masks a URL that contains a secret, and keeps the URL if it receives the mask. */
function targetOf(channels: NotificationPreferences['channels'], channel: AlertChannel): string {
  return channel === 'email' ? channels.email.addresses.join(', ') : (channels[channel].webhook_url ?? '');
}

function membersOf(channel: AlertChannel, text: string) {
  if (channel === 'email') return { addresses: text.split(',').flatMap((address) => address.trim() || []) };
  return { webhook_url: text.trim() || null };
}
