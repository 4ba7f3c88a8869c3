import { useSignal } from '@preact/signals';
import type { ApiKey } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { set } from '../../data/set-signal.ts';
import { act } from '../../parts/act.ts';
import { Answer } from '../../parts/answer.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { type NewKey, NewKeyForm } from './new-key-form.tsx';
import style from './settings-view.module.css';

const PAGE_SIZE = 200;

interface Asked {
  action: 'Rotate' | 'Revoke';
  apiKey: ApiKey;
}

/** API keys of the tenant. The secret of a new or rotated key is shown once. */
export function KeySettings({ tenant }: { tenant: string }) {
  const key = `keys/${tenant}`;
  const keys = useQuery(key, (signal) => server.apiKeys.list({ tenant_id: tenant, page_size: PAGE_SIZE }, { signal }));
  const made = useSignal<{ name: string; api_key: string } | null>(null);
  const asked = useSignal<Asked | null>(null);

  async function create(body: NewKey): Promise<boolean> {
    const created = await act('The key could not be created', () => server.apiKeys.create({ tenant_id: tenant, body }));
    if (created) made.value = created;
    await queries.invalidate(key);
    return created !== undefined;
  }

  async function change({ action, apiKey: { key_id, name } }: Asked): Promise<void> {
    const input = { tenant_id: tenant, key_id };
    const failure = `The key ${visibleText(name)} could not be changed`;
    if (action === 'Revoke')
      await act(failure, () => server.apiKeys.revoke(input), `The key ${visibleText(name)} is revoked.`);
    else made.value = (await act(failure, () => server.apiKeys.rotate(input))) ?? null;
    await queries.invalidate(key);
  }

  return (
    <>
      <NewKeyForm create={create} />
      <Answer query={keys} failure="The API keys cannot be shown">
        {({ items }) => (
          <DataTable
            label="API keys"
            columns={[...COLUMNS, actionsOf((one) => set(asked, one))]}
            rows={items}
            keyOf={({ key_id }) => key_id}
          />
        )}
      </Answer>
      {made.value && (
        <SecretDialog
          title={`API key ${visibleText(made.value.name)}`}
          secrets={[{ label: 'API key', value: made.value.api_key }]}
          close={() => set(made, null)}
        />
      )}
      {asked.value && (
        <Question asked={asked.value} confirm={(one) => void change(one)} close={() => set(asked, null)} />
      )}
    </>
  );
}

interface QuestionProps {
  asked: Asked;
  confirm(asked: Asked): void;
  close(): void;
}

function Question({ asked, confirm, close }: QuestionProps) {
  const { action, apiKey } = asked;
  return (
    <ConfirmDialog
      title={`${action} ${visibleText(apiKey.name)}?`}
      action={`${action} key`}
      confirm={() => confirm(asked)}
      close={close}
    >
      <p>
        The current secret stops working at once: programs that use it are refused, and browsers that signed in with it
        are signed out.{action === 'Rotate' && ' You get a new secret for the same name and scopes.'}
      </p>
    </ConfirmDialog>
  );
}

const COLUMNS: Column<ApiKey>[] = [
  { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
  { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  { title: 'State', cell: (one) => <span class={isActive(one) ? undefined : style.ended}>{stateOf(one)}</span> },
  { title: `Created (${ZONE})`, cell: ({ created_at }) => timeText(created_at) },
  {
    title: `Last used (${ZONE})`,
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : timeText(last_used_at)),
  },
  { title: 'Key ID', cell: ({ key_id }) => <code>{key_id}</code> },
];

function actionsOf(ask: (asked: Asked) => void): Column<ApiKey> {
  return {
    title: 'Actions',
    cell: (apiKey) =>
      isActive(apiKey) && (
        <span class={form.actions}>
          {(['Rotate', 'Revoke'] as const).map((action) => (
            <Button
              key={action}
              label={`${action} ${visibleText(apiKey.name)}`}
              onClick={() => ask({ action, apiKey })}
            >
              {action}
            </Button>
          ))}
        </span>
      ),
  };
}

function isActive({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());
}

function stateOf(apiKey: ApiKey): string {
  if (apiKey.revoked_at !== null) return `revoked ${timeText(apiKey.revoked_at)}`;
  if (apiKey.expires_at === null) return 'active';
  return `${isActive(apiKey) ? 'active until' : 'expired'} ${timeText(apiKey.expires_at)}`;
}
