import { useSignal } from '@preact/signals';
import type { Retention } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { QueryResult } from '../../parts/query-result.tsx';
import { runAction } from '../../parts/run-action.ts';

type Choice = 'default' | 'forever' | 'days';

const CHOICES: readonly { name: Choice; label: string }[] = [
  { name: 'default', label: 'as this server is configured' },
  { name: 'forever', label: 'never' },
  { name: 'days', label: 'after a number of days' },
];

const SUGGESTED_DAYS = 30;

/** The retention of traces. */
export function RetentionSettings({ tenant }: { tenant: string }) {
  const key = `retention/${tenant}`;
  const retention = useQuery(key, (signal) => server.retention.get({ tenant_id: tenant }, { signal }));
  return (
    <QueryResult query={retention} failure="The retention cannot be shown">
      {(value) => (
        <>
          <p>{sentenceOf(value)}</p>
          {hasScope('admin') && (
            <RetentionForm
              key={JSON.stringify(value)}
              tenant={tenant}
              value={value}
              onSaved={() => void queries.invalidate(key)}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}

const SOURCES: Readonly<Record<Retention['source'], string>> = {
  tenant: '',
  default: ', as this server is configured',
  plan: ', as the plan allows',
};

function sentenceOf({ retention_days, source, plan_days }: Retention): string {
  const retentionText =
    retention_days === null
      ? 'Traces are never deleted'
      : `Traces are deleted after ${pluralize(retention_days, 'day')}`;
  const limit = plan_days === null ? '' : ` The plan allows at most ${pluralize(plan_days, 'day')}.`;
  return `${retentionText}${SOURCES[source]}.${limit}`;
}

interface RetentionFormProps {
  tenant: string;
  value: Retention;
  onSaved(): void;
}

function RetentionForm({ tenant, value, onSaved }: RetentionFormProps) {
  const choice = useSignal<Choice>(choiceOf(value));
  const days = useSignal(String(value.retention_days ?? SUGGESTED_DAYS));
  const error = useSignal<string | null>(null);

  async function submit(event: Event) {
    event.preventDefault();
    const amount = Number(days.value);
    if (choice.value === 'days' && !(Number.isInteger(amount) && amount >= 1)) {
      error.value = 'Enter a whole number of days, at least 1.';
      return;
    }
    const retention_days = { days: amount, forever: null, default: 'default' as const }[choice.value];
    const request = () => server.retention.set({ tenant_id: tenant, body: { retention_days } });
    if (await runAction('The retention could not be saved', request, 'The retention is saved.')) onSaved();
  }

  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="Retention">
      <fieldset class={form.choices}>
        <legend>Delete traces</legend>
        {CHOICES.map(({ name, label }) => (
          <label key={name} class={form.choice}>
            <input type="radio" name="retention" checked={choice.value === name} onChange={() => set(choice, name)} />
            {label}
          </label>
        ))}
      </fieldset>
      {choice.value === 'days' && (
        <Field
          label="Days"
          hint="Counted from the last span of a trace. Older traces are deleted every night."
          value={days.value}
          error={error.value}
          onChange={(text) => {
            days.value = text;
            error.value = null;
          }}
        />
      )}
      <div>
        <Button variant="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}

function choiceOf({ source, retention_days }: Retention): Choice {
  if (source !== 'tenant') return 'default';
  return retention_days === null ? 'forever' : 'days';
}
