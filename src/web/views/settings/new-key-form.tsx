import { useSignal } from '@preact/signals';
import type { Scope } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';

export interface NewKey {
  name: string;
  scopes: Scope[];
  expires_at: string | null;
}

interface NewKeyFormProps {
  /** @returns false if it failed */
  create(key: NewKey): Promise<boolean>;
}

export const SCOPES: readonly { scope: Scope; meaning: string }[] = [
  { scope: 'ingest', meaning: 'send traces' },
  { scope: 'read', meaning: 'read everything except keys and the audit log' },
  { scope: 'write', meaning: 'change issues, settings and fixes' },
  { scope: 'admin', meaning: 'manage keys and retention, read the audit log' },
];

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { days: '', label: 'never' },
  { days: '7', label: 'in 7 days' },
  { days: '30', label: 'in 30 days' },
  { days: '90', label: 'in 90 days' },
  { days: '365', label: 'in a year' },
];

export function NewKeyForm({ create }: NewKeyFormProps) {
  const name = useSignal('');
  const scopes = useSignal<readonly Scope[]>(['ingest']);
  const days = useSignal('');
  const error = useSignal<string | null>(null);
  const isBusy = useSignal(false);

  function toggle(scope: Scope) {
    const isOn = scopes.value.includes(scope);
    scopes.value = isOn ? scopes.value.filter((other) => other !== scope) : [...scopes.value, scope];
  }

  async function submit(event: Event) {
    event.preventDefault();
    if (name.value.trim() === '') {
      error.value = 'Enter a name.';
      return;
    }
    isBusy.value = true;
    const expires_at = days.value === '' ? null : new Date(Date.now() + Number(days.value) * DAY_MS).toISOString();
    if (await create({ name: name.value.trim(), scopes: [...scopes.value], expires_at })) name.value = '';
    isBusy.value = false;
  }

  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="New API key">
      <Field
        label="Name of the new key"
        hint="What uses it, such as the name of a service."
        value={name.value}
        error={error.value}
        autocomplete="off"
        onChange={(value) => {
          name.value = value;
          error.value = null;
        }}
      />
      <fieldset class={form.choices}>
        <legend>Scopes</legend>
        {SCOPES.map(({ scope, meaning }) => (
          <label key={scope} class={form.choice}>
            <input type="checkbox" checked={scopes.value.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              {scope}: <span class={form.hint}>{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label class={form.select}>
        Expires
        <select value={days.value} onChange={({ currentTarget }) => set(days, currentTarget.value)}>
          {LIFETIMES.map(({ days: value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <div>
        <Button variant="primary" type="submit" disabled={isBusy.value || scopes.value.length === 0}>
          Create key
        </Button>
      </div>
    </form>
  );
}
