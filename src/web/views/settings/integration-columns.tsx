import type { Registration } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { runAction } from '../../parts/run-action.ts';
import { timeText, ZONE } from '../../parts/times.ts';
import { showProblem, showToast } from '../../parts/toasts.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { kindOf, PLATFORMS } from './integration-kinds.ts';
import style from './settings-view.module.css';
import { type SyncByRegistration, syncText } from './use-syncs.ts';

/** An action that awaits confirmation. */
export interface PendingAction {
  action: 'Replace webhook' | 'Remove';
  integration: Registration;
}

export const INTEGRATION_COLUMNS: Column<Registration>[] = [
  { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
  {
    title: 'Platform',
    cell: (registration) => (
      <span class={style.line}>
        <PlainText
          text={kindOf(registration)?.title ?? `${PLATFORMS[registration.integration]} ${registration.kind}`}
        />
      </span>
    ),
  },
  { title: 'URL', cell: ({ url }) => <PlainText text={url ?? '–'} /> },
  {
    title: 'Credentials',
    cell: (registration) => {
      const labels = kindOf(registration)?.credentials.flatMap(({ name, label }) =>
        registration.credentials.includes(name) ? [label] : [],
      );
      return (labels ?? registration.credentials).join(', ') || 'none';
    },
  },
  {
    title: `Last event (${ZONE})`,
    cell: ({ last_event_at }) => (
      <span class={style.line}>{last_event_at === null ? 'never' : timeText(last_event_at)}</span>
    ),
  },
];

/** The state of the last sync run; a dash for a registration without syncs. */
export function syncColumn(syncs: SyncByRegistration): Column<Registration> {
  return {
    title: `Last fetch (${ZONE})`,
    cell: ({ registration_id }) => {
      const sync = syncs.get(registration_id);
      if (sync === undefined) return '–';
      const text = syncText(sync);
      return (
        <span class={text === 'never' ? style.line : style.fetch}>
          <PlainText text={text} />
        </span>
      );
    },
  };
}

export interface IntegrationActions {
  requestAction(pendingAction: PendingAction): void;
  edit(registration: Registration): void;
  /** Called after runs were requested. */
  onSyncRequested(): void;
}

export function actionsColumn({ requestAction, edit, onSyncRequested }: IntegrationActions): Column<Registration> {
  return {
    title: 'Actions',
    cell: (registration) => {
      const kind = kindOf(registration);
      const name = visibleText(registration.name);
      return (
        <span class={style.rowActions}>
          {kind?.isCalled && (
            <Button label={`Test connection of ${name}`} onClick={() => void testConnection(registration)}>
              Test connection
            </Button>
          )}
          <SyncButton registration={registration} onSyncRequested={onSyncRequested} />
          {kind && (
            <Button label={`Edit ${name}`} onClick={() => edit(registration)}>
              Edit
            </Button>
          )}
          {(['Replace webhook', 'Remove'] as const).map((action) => (
            <Button
              key={action}
              label={`${action} ${name}`}
              variant={action === 'Remove' ? 'danger' : 'normal'}
              onClick={() => requestAction({ action, integration: registration })}
            >
              {action}
            </Button>
          ))}
        </span>
      );
    },
  };
}

async function testConnection({ registration_id, name }: Registration): Promise<void> {
  const result = await runAction('The connection could not be tested', () =>
    server.integrations.check({ registration_id }),
  );
  if (result === undefined) return;
  if (result.is_connected) showToast(`${visibleText(name)} answers, and accepts the credentials.`);
  else showProblem(`${visibleText(name)} is not connected`, visibleText(result.problem ?? ''));
}

/** Only n8n instances and Dify apps store runs that can be fetched. */
function SyncButton({ registration, onSyncRequested }: { registration: Registration; onSyncRequested(): void }) {
  const { integration, kind, name, registration_id } = registration;
  const request =
    integration === 'flowplatform' && kind === 'instance'
      ? () => server.flowplatform.sync({ body: { instance_id: registration_id } })
      : integration === 'llmapps' && kind === 'app'
        ? () => server.llmapps.sync({ body: { app_id: registration_id } })
        : undefined;
  if (request === undefined) return null;
  const run = async () => {
    const failure = `Runs of ${visibleText(name)} could not be fetched`;
    await runAction(
      failure,
      async () => void (await request()),
      `Runs of ${visibleText(name)} are fetched in the background.`,
    );
    onSyncRequested();
  };
  return (
    <Button label={`Fetch runs of ${visibleText(name)}`} onClick={() => void run()}>
      Fetch runs
    </Button>
  );
}
