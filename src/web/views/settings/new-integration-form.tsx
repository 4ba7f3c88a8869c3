import { useSignal } from '@preact/signals';
import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import { set } from '../../data/set-signal.ts';
import { act } from '../../parts/act.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';

type Platform = Registration['integration'];

export const PLATFORMS: Readonly<Record<Platform, string>> = {
  flowplatform: 'n8n',
  llmapps: 'Dify',
  graphruntime: 'LangGraph Platform',
  agentsession: 'OpenClaw',
};

const REGISTER = {
  flowplatform: server.flowplatform.registerInstance,
  llmapps: server.llmapps.registerInstance,
  graphruntime: server.graphruntime.registerDeployment,
  agentsession: server.agentsession.registerInstance,
} as const;

/** Registers an instance of a platform; its webhook is shown once. */
export function NewIntegrationForm({ added }: { added(webhook: WebhookAccess): void }) {
  const platform = useSignal<Platform>('flowplatform');
  const name = useSignal('');
  const url = useSignal('');

  async function submit(event: Event) {
    event.preventDefault();
    const body = { name: name.value.trim(), url: url.value.trim() };
    const made = await act('The integration could not be added', async () => {
      const { webhook } = await REGISTER[platform.value]({ body });
      return webhook;
    });
    if (!made) return;
    name.value = '';
    url.value = '';
    added(made);
  }

  return (
    <form class={form.form} onSubmit={submit} noValidate aria-label="New integration">
      <label class={form.select}>
        Platform
        <select value={platform.value} onChange={({ currentTarget }) => set(platform, currentTarget.value as Platform)}>
          {Object.entries(PLATFORMS).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Field label="Name" value={name.value} autocomplete="off" onChange={(text) => set(name, text)} />
      <Field
        label="URL"
        hint="Where this server reaches the platform."
        value={url.value}
        autocomplete="off"
        onChange={(text) => set(url, text)}
      />
      <div>
        <Button look="primary" type="submit" disabled={name.value.trim() === '' || url.value.trim() === ''}>
          Add integration
        </Button>
      </div>
    </form>
  );
}
