import { useSignal } from '@preact/signals';
import type { Registration, WebhookAccess } from '../../../client/misstep-client.generated.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { may, session } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { act } from '../../parts/act.ts';
import { Answer } from '../../parts/answer.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import form from '../../parts/form.module.css';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { TenantOnly } from '../../parts/tenant-only.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { NewIntegrationForm, PLATFORMS } from './new-integration-form.tsx';

const PAGE_SIZE = 200;

interface Asked {
  action: 'New webhook' | 'Remove';
  one: Registration;
}

/** Registered instances of other platforms. */
export function IntegrationSettings() {
  return <TenantOnly>{(tenant) => <Integrations tenant={tenant} />}</TenantOnly>;
}

function Integrations({ tenant }: { tenant: string }) {
  const key = `integrations/${tenant}`;
  const registrations = useQuery(key, (signal) => server.integrations.list({ page_size: PAGE_SIZE }, { signal }));
  const webhook = useSignal<WebhookAccess | null>(null);
  const asked = useSignal<Asked | null>(null);
  const refresh = () => queries.invalidate(key);

  async function change({ action, one: { registration_id, name } }: Asked) {
    const failure = `${visibleText(name)} could not be changed`;
    if (action === 'Remove')
      await act(failure, () => server.integrations.remove({ registration_id }), `${visibleText(name)} is removed.`);
    else
      webhook.value =
        (await act(failure, () => server.integrations.rotateWebhook({ registration_id })))?.webhook ?? null;
    await refresh();
  }

  const columns = may('write') ? [...COLUMNS, actionsOf((one) => set(asked, one))] : COLUMNS;
  return (
    <>
      {may('write') && (
        <NewIntegrationForm
          added={(made) => {
            webhook.value = made;
            void refresh();
          }}
        />
      )}
      <Answer query={registrations} failure="The integrations cannot be shown">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyNotice title="No platform is registered">
              <p>
                A registered platform reports its runs to this server by webhook, and the server can fetch earlier runs
                from it.
              </p>
            </EmptyNotice>
          ) : (
            <DataTable
              label="Integrations"
              columns={columns}
              rows={items}
              keyOf={({ registration_id }) => registration_id}
            />
          )
        }
      </Answer>
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
  const { action, one } = asked;
  return (
    <ConfirmDialog
      title={`${action}: ${visibleText(one.name)}`}
      action={action}
      confirm={() => confirm(asked)}
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

const COLUMNS: Column<Registration>[] = [
  { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
  { title: 'Platform', cell: ({ integration, kind }) => <PlainText text={`${PLATFORMS[integration]} ${kind}`} /> },
  { title: 'URL', cell: ({ url }) => <PlainText text={url ?? ''} /> },
  { title: 'Credentials', cell: ({ credentials }) => <PlainText text={credentials.join(', ')} /> },
  {
    title: `Last event (${ZONE})`,
    cell: ({ last_event_at }) => (last_event_at === null ? 'none' : timeText(last_event_at)),
  },
];

function actionsOf(ask: (asked: Asked) => void): Column<Registration> {
  return {
    title: 'Actions',
    cell: (one) => (
      <span class={form.actions}>
        <SyncButton one={one} />
        {(['New webhook', 'Remove'] as const).map((action) => (
          <Button key={action} label={`${action} ${visibleText(one.name)}`} onClick={() => ask({ action, one })}>
            {action}
          </Button>
        ))}
      </span>
    ),
  };
}

/** Only n8n and Dify keep runs that can be fetched. */
function SyncButton({ one: { integration, kind, name } }: { one: Registration }) {
  const sync = { flowplatform: server.flowplatform.sync, llmapps: server.llmapps.sync }[integration as string];
  if (sync === undefined || kind !== 'instance') return null;
  const title = PLATFORMS[integration];
  return (
    <Button
      label={`Fetch runs for ${visibleText(name)}`}
      onClick={() =>
        void act(
          `Runs of ${title} could not be fetched`,
          async () => void (await sync()),
          `Runs of ${title} are fetched in the background.`,
        )
      }
    >
      Fetch runs
    </Button>
  );
}
