import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { runAction } from '../../parts/run-action.ts';
import { showToast } from '../../parts/toasts.tsx';
import { IntegrationFields, ParentSelect } from './integration-fields.tsx';
import { KINDS } from './integration-kinds.ts';
import { fieldErrors, type IntegrationValues, newBody } from './integration-values.ts';

interface NewIntegrationFormProps {
  registrations: readonly Registration[];
  /** @param webhook null for a kind that sends no webhooks */
  onAdded(webhook: WebhookAccess | null): void;
}

/** The form that registers a resource of a platform. Its webhook is shown once. */
export function NewIntegrationForm({ registrations, onAdded }: NewIntegrationFormProps) {
  const selectedIndex = useSignal(0);
  const values = useSignal<IntegrationValues>({});
  /** Errors are shown once the form was submitted. */
  const isSubmitted = useSignal(false);
  const headingId = useId();
  const kind = KINDS[selectedIndex.value]!;
  const { parent } = kind;
  const errors = isSubmitted.value ? fieldErrors(kind, values.value) : {};
  const change = (name: string, value: string) => set(values, { ...values.value, [name]: value });

  async function submit(event: Event) {
    event.preventDefault();
    isSubmitted.value = true;
    if (Object.keys(fieldErrors(kind, values.value)).length > 0) return;
    const created = await runAction('The integration could not be added', () =>
      kind.register(newBody(kind, values.value)),
    );
    if (created === undefined) return;
    values.value = {};
    isSubmitted.value = false;
    if (created.webhook === undefined) showToast('The integration is added.');
    onAdded(created.webhook ?? null);
  }

  return (
    <form class={form.form} onSubmit={submit} noValidate aria-labelledby={headingId}>
      <h2 id={headingId}>Add an integration</h2>
      <label class={form.select}>
        Platform
        <select
          value={String(selectedIndex.value)}
          onChange={({ currentTarget }) => {
            selectedIndex.value = Number(currentTarget.value);
            values.value = {};
            isSubmitted.value = false;
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
          error={errors[parent.member]}
          change={(registrationId) => change(parent.member, registrationId)}
        />
      )}
      <IntegrationFields kind={kind} values={values.value} errors={errors} change={change} />
      <div>
        <Button variant="primary" type="submit">
          Add integration
        </Button>
      </div>
    </form>
  );
}
