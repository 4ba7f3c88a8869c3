import { useSignal } from '@preact/signals';
import type { JudgeStatus } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { runAction } from '../../parts/run-action.ts';
import { timeText, ZONE } from '../../parts/times.ts';
import style from './settings-view.module.css';

/** Switches the judge on or off, and sets its daily budget. */
export function JudgeSettings({ tenant }: { tenant: string }) {
  const key = `judge/${tenant}`;
  const judge = useQuery(key, (signal) => server.settings.judge({ tenant_id: tenant }, { signal }));
  const refresh = () => queries.invalidate(key);
  return (
    <QueryResult query={judge} failure="The judge cannot be shown">
      {(status) => (
        <>
          <p>
            The judge asks a language model about detections of low confidence. It is off by default. When it is on,
            parts of your traces, with secrets removed, are sent to the model.
          </p>
          <Status status={status} />
          {hasScope('write') && status.configured && (
            <JudgeForm key={status.daily_calls} tenant={tenant} status={status} onSaved={refresh} />
          )}
        </>
      )}
    </QueryResult>
  );
}

function Status({ status }: { status: JudgeStatus }) {
  if (!status.configured)
    return (
      <p>
        This server has no model configured. The operator sets one with the option{' '}
        <code class={style.unbroken}>--judge-model</code> of <code>misstep serve</code>.
      </p>
    );
  return (
    <dl class={form.facts}>
      <dt>Model</dt>
      <dd>
        <PlainText text={`${status.model} (${status.provider})`} />
      </dd>
      <dt>State</dt>
      <dd>{status.enabled ? 'on' : 'off'}</dd>
      <dt>Today</dt>
      <dd>
        {status.calls_today} of {status.daily_calls} questions, {status.tokens_today} of {status.daily_tokens} tokens
        {status.skipped_today > 0 && `; ${status.skipped_today} questions were skipped`}
      </dd>
      <dt>Budget resets</dt>
      <dd>
        {timeText(status.resets_at)} ({ZONE})
      </dd>
      {status.paused_until && (
        <>
          <dt>Paused</dt>
          <dd>
            The model does not respond. The next attempt is at {timeText(status.paused_until)} ({ZONE}).
          </dd>
        </>
      )}
    </dl>
  );
}

function JudgeForm({ tenant, status, onSaved }: { tenant: string; status: JudgeStatus; onSaved(): void }) {
  const calls = useSignal(String(status.daily_calls));
  const error = useSignal<string | null>(null);

  async function change(body: { enabled?: boolean; daily_calls?: number | null }, successMessage: string) {
    const request = () => server.settings.changeJudge({ tenant_id: tenant, body });
    if (await runAction('The judge could not be changed', request, successMessage)) onSaved();
  }

  function submit(event: Event) {
    event.preventDefault();
    const text = calls.value.trim();
    const count = Number(text);
    if (text === '') void change({ daily_calls: null }, 'The limit of the server applies.');
    else if (Number.isInteger(count) && count >= 0) void change({ daily_calls: count }, 'The budget is saved.');
    else error.value = 'Enter a whole number.';
  }

  const toggle = status.enabled
    ? { label: 'Switch off', run: () => change({ enabled: false }, 'The judge is off.') }
    : { label: 'Switch on', run: () => change({ enabled: true }, 'The judge is on.') };
  return (
    <form class={form.form} onSubmit={submit} noValidate>
      <Field
        label="Questions a day"
        hint="The server may allow fewer. Empty: the limit of the server."
        value={calls.value}
        error={error.value}
        onChange={(value) => {
          calls.value = value;
          error.value = null;
        }}
      />
      <div class={form.actions}>
        <Button type="submit">Save budget</Button>
        <Button variant="primary" onClick={() => void toggle.run()}>
          {toggle.label}
        </Button>
      </div>
    </form>
  );
}
