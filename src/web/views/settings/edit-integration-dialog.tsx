import { useSignal } from '@preact/signals';
import type { Registration } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import { runAction } from '../../parts/run-action.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { IntegrationFields } from './integration-fields.tsx';
import type { IntegrationKind } from './integration-kind.ts';
import { changeBody, fieldErrors, type IntegrationValues } from './integration-values.ts';

interface EditIntegrationDialogProps {
  integration: Registration;
  kind: IntegrationKind;
  onChanged(): void;
  close(): void;
}

/** Changes the members of a registration, and replaces or deletes its credentials. */
export function EditIntegrationDialog({ integration, kind, onChanged, close }: EditIntegrationDialogProps) {
  const savedValues = valuesOf(integration);
  const values = useSignal<IntegrationValues>(savedValues);
  /** Errors are shown once the form was submitted. */
  const isSubmitted = useSignal(false);
  const removedCredentials = useSignal<ReadonlySet<string>>(new Set());
  const stored = kind.credentials.filter(({ name }) => integration.credentials.includes(name));

  async function submit(event: Event) {
    event.preventDefault();
    isSubmitted.value = true;
    if (Object.keys(fieldErrors(kind, values.value)).length > 0) return;
    const { registration_id } = integration;
    const body = changeBody(kind, savedValues, values.value, removedCredentials.value);
    const failure = `${visibleText(integration.name)} could not be changed`;
    const successMessage = `${visibleText(integration.name)} is changed.`;
    if (
      (await runAction(failure, () => server.integrations.change({ registration_id, body }), successMessage)) ===
      undefined
    )
      return;
    onChanged();
    close();
  }

  function toggle(name: string) {
    const next = new Set(removedCredentials.value);
    if (!next.delete(name)) next.add(name);
    removedCredentials.value = next;
  }

  return (
    <Dialog title={`Edit ${visibleText(integration.name)}`} close={close}>
      <form class={form.form} onSubmit={submit} noValidate aria-label="Integration">
        <IntegrationFields
          kind={kind}
          values={values.value}
          errors={isSubmitted.value ? fieldErrors(kind, values.value) : {}}
          stored={stored.map(({ name }) => name)}
          change={(name, value) => set(values, { ...values.value, [name]: value })}
        />
        {stored.map(({ name, label }) => (
          <label key={name} class={form.choice}>
            <input type="checkbox" checked={removedCredentials.value.has(name)} onChange={() => toggle(name)} />
            <span>Delete the stored {label}</span>
          </label>
        ))}
        <div class={form.actions}>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function valuesOf({ name, url, details }: Registration): Record<string, string> {
  const texts = Object.entries(details).flatMap(([key, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
  return { ...Object.fromEntries(texts), name, url: url ?? '' };
}
