import { useSignal } from '@preact/signals';
import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, session } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { runAction } from '../../parts/run-action.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { TenantOnly } from '../../parts/tenant-only.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { EditIntegrationDialog } from './edit-integration-dialog.tsx';
import { actionsColumn, INTEGRATION_COLUMNS, type PendingAction, syncColumn } from './integration-columns.tsx';
import { kindOf } from './integration-kinds.ts';
import { NewIntegrationForm } from './new-integration-form.tsx';
import style from './settings-view.module.css';
import { useSyncs } from './use-syncs.ts';

const PAGE_SIZE = 200;

/** Registered instances of other platforms. */
export function IntegrationSettings() {
  return <TenantOnly>{(tenant) => <Integrations tenant={tenant} />}</TenantOnly>;
}

function Integrations({ tenant }: { tenant: string }) {
  const key = `integrations/${tenant}`;
  const registrations = useQuery(key, (signal) => server.integrations.list({ page_size: PAGE_SIZE }, { signal }));
  const syncs = useSyncs(tenant);
  const webhook = useSignal<WebhookAccess | null>(null);
  const pendingAction = useSignal<PendingAction | null>(null);
  const edited = useSignal<Registration | null>(null);
  const refresh = async () => {
    await Promise.all([queries.invalidate(key), syncs.refresh()]);
  };

  async function change({ action, integration: { registration_id, name } }: PendingAction) {
    const failure = `${visibleText(name)} could not be changed`;
    if (action === 'Remove')
      await runAction(
        failure,
        () => server.integrations.remove({ registration_id }),
        `${visibleText(name)} is removed.`,
      );
    else
      webhook.value =
        (await runAction(failure, () => server.integrations.rotateWebhook({ registration_id })))?.webhook ?? null;
    await refresh();
  }

  const columns = [...INTEGRATION_COLUMNS, syncColumn(syncs.byRegistration)];
  if (hasScope('write'))
    columns.push(
      actionsColumn({
        requestAction: (action) => set(pendingAction, action),
        edit: (registration) => set(edited, registration),
        onSyncRequested: () => void syncs.refresh(),
      }),
    );
  const editedKind = edited.value && kindOf(edited.value);
  return (
    <>
      <p class={style.intro}>
        Connect the platforms your agents run on. They report each run to a webhook of Misstep, and the run becomes a
        trace. Misstep shows the address and the secret of the webhook once, after you add the integration: enter them
        in the platform. With credentials, Misstep can also fetch earlier runs and execute approved plans.
      </p>
      <QueryResult query={registrations} failure="The integrations cannot be shown">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyNotice title="No platform is registered" />
          ) : (
            <DataTable
              label="Integrations"
              columns={columns}
              rows={items}
              keyOf={({ registration_id }) => registration_id}
            />
          )
        }
      </QueryResult>
      {hasScope('write') && (
        <NewIntegrationForm
          registrations={registrations.value.value?.items ?? []}
          onAdded={(created) => {
            webhook.value = created;
            void refresh();
          }}
        />
      )}
      {webhook.value && (
        <SecretDialog
          title="Webhook of the integration"
          secrets={[
            { label: 'Address', value: `${session.value?.web_address ?? ''}${webhook.value.path}` },
            { label: 'Secret', value: webhook.value.secret },
          ]}
          close={() => set(webhook, null)}
        />
      )}
      {edited.value && editedKind && (
        <EditIntegrationDialog
          integration={edited.value}
          kind={editedKind}
          onChanged={() => void refresh()}
          close={() => set(edited, null)}
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
  const { action, integration } = pendingAction;
  return (
    <ConfirmDialog
      title={`${action}: ${visibleText(integration.name)}`}
      action={action}
      confirm={() => confirm(pendingAction)}
      close={close}
    >
      <p>
        {action === 'Remove'
          ? 'Its webhook and its credentials are deleted at once. Its traces are kept.'
          : 'The current address and secret stop working at once. Enter the new ones in the platform.'}
      </p>
    </ConfirmDialog>
  );
}
