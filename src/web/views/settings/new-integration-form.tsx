import { useSignal } from '@preact/signals';
import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { runAction } from '../../parts/run-action.ts';
import { showToast } from '../../parts/toasts.tsx';
import { IntegrationFields, ParentSelect } from './integration-fields.tsx';
import { KINDS } from './integration-kinds.ts';
import { type IntegrationValues, isComplete, newBody } from './integration-values.ts';

interface NewIntegrationFormProps {
  registrations: readonly Registration[];
  /** @param webhook null for a kind that sends no webhooks */
  onAdded(webhook: WebhookAccess | null): void;
}

/** The form that registers a resource of a platform. Its webhook is shown once. */
export function NewIntegrationForm({ registrations, onAdded }: NewIntegrationFormProps) {
  const selectedIndex = useSignal(0);
  const values = useSignal<IntegrationValues>({});
  const kind = KINDS[selectedIndex.value]!;
  const { parent } = kind;
  const change = (name: string, value: string) => set(values, { ...values.value, [name]: value });

  async function submit(event: Event) {
    event.preventDefault();
    const created = await runAction('The integration could not be added', () =>
      kind.register(newBody(kind, values.value)),
    );
    if (created === undefined) return;
    values.value = {};
    if (created.webhook === undefined) showToast('The integration is added.');
    onAdded(created.webhook ?? null);
  }

  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="New integration">
      <label class={form.select}>
        Platform
        <select
          value={String(selectedIndex.value)}
          onChange={({ currentTarget }) => {
            selectedIndex.value = Number(currentTarget.value);
            values.value = {};
          }}
        >
          {KINDS.map(({ title }, index) => (
            <option key={title} value={String(index)}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {parent && (
        <ParentSelect
          parent={parent}
          options={registrations.filter(
            (registration) => registration.integration === kind.platform && registration.kind === parent.kind,
          )}
          value={values.value[parent.member] ?? ''}
          change={(registrationId) => change(parent.member, registrationId)}
        />
      )}
      <IntegrationFields kind={kind} values={values.value} change={change} />
      <div>
        <Button variant="primary" type="submit" disabled={!isComplete(kind, values.value)}>
          Add integration
        </Button>
      </div>
    </form>
  );
}
