import { useSignal } from '@preact/signals';
import { fieldProblemOf } from '../../data/problem-text.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { CHANNELS } from './alert-labels.ts';
import style from './alerts-view.module.css';
import { ChannelForm } from './channel-form.tsx';
import { ChannelTest } from './channel-test.tsx';
import { DetectorRules } from './detector-rules.tsx';
import { RuleForm } from './rule-form.tsx';
import type { SaveAlerts } from './save-alerts.ts';

const NEW_SECRET = /^whsec_[^*…]+$/;

/** Settings of the alert channels, with a test, and of the alert rules. */
export function AlertSettings({ tenant }: { tenant: string }) {
  const key = `alert-preferences/${tenant}`;
  const preferences = useQuery(key, (signal) => server.alerts.preferences({ tenant_id: tenant }, { signal }));
  const secret = useSignal<string | null>(null);

  const save: SaveAlerts = async (change, successMessage, fieldPointer) => {
    let fieldProblem: string | null = null;
    try {
      const { channels } = await server.alerts.changePreferences({ tenant_id: tenant, body: change });
      showToast(successMessage);
      // Only the response that creates the secret contains all of it; later ones mask it.
      if (channels.webhook.secret && NEW_SECRET.test(channels.webhook.secret)) secret.value = channels.webhook.secret;
    } catch (error) {
      fieldProblem = fieldPointer === undefined ? null : fieldProblemOf(error, fieldPointer);
      if (fieldProblem === null) showFailure('The alerts could not be changed', error);
    }
    await queries.invalidate(key);
    return fieldProblem;
  };

  return (
    <QueryResult query={preferences} failure="The channels and rules cannot be shown">
      {(value) => (
        <>
          <section class={style.part} aria-labelledby="channels">
            <h2 id="channels">Channels</h2>
            <div class={style.channels}>
              {CHANNELS.map((channel) => (
                <ChannelForm
                  key={`${channel} ${JSON.stringify(value.channels[channel])}`}
                  channel={channel}
                  channels={value.channels}
                  save={save}
                />
              ))}
            </div>
            {hasScope('write') && (
              <ChannelTest
                tenant={tenant}
                isAnyOn={CHANNELS.some((channel) => value.channels[channel].enabled)}
                onTested={() => void queries.invalidate(key)}
              />
            )}
          </section>
          <section class={style.part} aria-labelledby="rules">
            <h2 id="rules">Rules</h2>
            <RuleForm key={JSON.stringify([value.min_severity, value.quiet_hours])} value={value} save={save} />
            <DetectorRules value={value} save={save} />
          </section>
          {secret.value && (
            <SecretDialog
              title="The webhook is signed"
              secrets={[{ label: 'Signing secret', value: secret.value }]}
              close={() => set(secret, null)}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}
