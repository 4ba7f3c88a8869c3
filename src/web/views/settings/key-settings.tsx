import { useSignal } from '@preact/signals';
import type { ApiKey } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { session, signIn } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { runAction } from '../../parts/run-action.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { type NewKey, NewKeyForm, SCOPES } from './new-key-form.tsx';
import style from './settings-view.module.css';

const PAGE_SIZE = 200;

interface PendingAction {
  action: 'Rotate' | 'Revoke';
  apiKey: ApiKey;
}

/** The API keys of the tenant. The secret of a new or rotated key is shown once. */
export function KeySettings({ tenant }: { tenant: string }) {
  const key = `keys/${tenant}`;
  const keys = useQuery(key, (signal) => server.apiKeys.list({ tenant_id: tenant, page_size: PAGE_SIZE }, { signal }));
  const newKey = useSignal<{ name: string; api_key: string } | null>(null);
  const pendingAction = useSignal<PendingAction | null>(null);

  async function create(body: NewKey): Promise<boolean> {
    const created = await runAction('The key could not be created', () =>
      server.apiKeys.create({ tenant_id: tenant, body }),
    );
    if (created) newKey.value = created;
    await queries.invalidate(key);
    return created !== undefined;
  }

  async function change({ action, apiKey }: PendingAction): Promise<void> {
    const { key_id, name } = apiKey;
    const input = { tenant_id: tenant, key_id };
    const failure = `The key ${visibleText(name)} could not be changed`;
    if (action === 'Revoke')
      await runAction(failure, () => server.apiKeys.revoke(input), `The key ${visibleText(name)} is revoked.`);
    else {
      newKey.value = (await runAction(failure, () => server.apiKeys.rotate(input))) ?? null;
      // If it fails, the next request asks to sign in again.
      if (newKey.value && isOwn(apiKey)) await signIn({ api_key: newKey.value.api_key }).catch(() => {});
    }
    await queries.invalidate(key);
  }

  return (
    <>
      <NewKeyForm create={create} />
      <QueryResult query={keys} failure="The API keys cannot be shown">
        {({ items }) => (
          <DataTable
            label="API keys"
            columns={[...COLUMNS, actionsColumn((action) => set(pendingAction, action))]}
            rows={items}
            keyOf={({ key_id }) => key_id}
          />
        )}
      </QueryResult>
      {newKey.value && (
        <SecretDialog
          title={`API key ${visibleText(newKey.value.name)}`}
          secrets={[{ label: 'API key', value: newKey.value.api_key }]}
          close={() => set(newKey, null)}
        />
      )}
      {pendingAction.value && (
        <ConfirmAction
          pendingAction={pendingAction.value}
          confirm={(action) => void change(action)}
          close={() => set(pendingAction, null)}
        />
      )}
    </>
  );
}

interface ConfirmActionProps {
  pendingAction: PendingAction;
  confirm(pendingAction: PendingAction): void;
  close(): void;
}

function ConfirmAction({ pendingAction, confirm, close }: ConfirmActionProps) {
  const { action, apiKey } = pendingAction;
  return (
    <ConfirmDialog
      title={`${action} ${visibleText(apiKey.name)}?`}
      action={`${action} key`}
      confirm={() => confirm(pendingAction)}
      close={close}
    >
      <p>
        The current secret stops working at once: programs that use it are refused, and browsers that signed in with it
        are signed out.{action === 'Rotate' && ' You get a new secret for the same name and scopes.'}
      </p>
      {isOwn(apiKey) && (
        <p>
          {action === 'Rotate'
            ? 'You are signed in with this key. This browser is signed in again with the new secret.'
            : 'You are signed in with this key: revoking it signs you out. To sign in again, you need another key or a sign-in link.'}
        </p>
      )}
    </ConfirmDialog>
  );
}

const COLUMNS: Column<ApiKey>[] = [
  {
    title: 'Name',
    cell: (apiKey) => (
      <span class={style.stacked}>
        <PlainText text={apiKey.name} />
        {isOwn(apiKey) && <span class={style.secondary}>you are signed in with this key</span>}
      </span>
    ),
  },
  {
    title: 'Scopes',
    isWide: true,
    cell: ({ scopes }) => (
      <span class={style.stacked}>
        {scopes.join(', ')}
        <span class={style.secondary}>{meaningsOf(scopes)}</span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: (apiKey) => <span class={isActive(apiKey) ? undefined : style.ended}>{stateOf(apiKey)}</span>,
  },
  {
    title: `Expires (${ZONE})`,
    cell: ({ expires_at }) => (expires_at === null ? 'never' : timeText(expires_at)),
  },
  { title: `Created (${ZONE})`, cell: ({ created_at }) => timeText(created_at) },
  {
    title: `Last used (${ZONE})`,
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : timeText(last_used_at)),
  },
  { title: 'Key ID', isWide: true, cell: ({ key_id }) => <code>{key_id}</code> },
];

function actionsColumn(requestAction: (pendingAction: PendingAction) => void): Column<ApiKey> {
  return {
    title: 'Actions',
    cell: (apiKey) =>
      isActive(apiKey) && (
        <span class={form.actions}>
          {(['Rotate', 'Revoke'] as const).map((action) => (
            <Button
              key={action}
              label={`${action} ${visibleText(apiKey.name)}`}
              variant={action === 'Revoke' ? 'danger' : 'normal'}
              onClick={() => requestAction({ action, apiKey })}
            >
              {action}
            </Button>
          ))}
        </span>
      ),
  };
}

/** Whether the session of this page belongs to the key. */
function isOwn({ key_id }: ApiKey): boolean {
  return session.value?.key_id === key_id;
}

function isActive({ revoked_at, expires_at }: ApiKey): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());
}

function stateOf(apiKey: ApiKey): string {
  if (apiKey.revoked_at !== null) return `revoked ${timeText(apiKey.revoked_at)}`;
  return isActive(apiKey) ? 'active' : 'expired';
}

/** `send traces; read everything except keys and the audit log` */
function meaningsOf(scopes: ApiKey['scopes']): string {
  return SCOPES.flatMap(({ scope, meaning }) => (scopes.includes(scope) ? [meaning] : [])).join('; ');
}
