import type { Registration } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import { Button } from '../../parts/button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { runAction } from '../../parts/run-action.ts';
import { timeText, ZONE } from '../../parts/times.ts';
import { showProblem, showToast } from '../../parts/toasts.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { kindOf, PLATFORMS } from './integration-kinds.ts';
import { type SyncByRegistration, syncText } from './use-syncs.ts';

/** An action that awaits confirmation. */
export interface PendingAction {
  action: 'New webhook' | 'Remove';
  integration: Registration;
}

export const INTEGRATION_COLUMNS: Column<Registration>[] = [
  { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
  {
    title: 'Platform',
    cell: (registration) => (
      <PlainText text={kindOf(registration)?.title ?? `${PLATFORMS[registration.integration]} ${registration.kind}`} />
    ),
  },
  { title: 'URL', cell: ({ url }) => <PlainText text={url ?? ''} /> },
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
    cell: ({ last_event_at }) => (last_event_at === null ? 'none' : timeText(last_event_at)),
  },
];

/** The state of the last sync run; empty for a registration without syncs. */
export function syncColumn(syncs: SyncByRegistration): Column<Registration> {
  return {
    title: `Fetched runs (${ZONE})`,
    cell: ({ registration_id }) => {
      const sync = syncs.get(registration_id);
      return sync === undefined ? '' : <PlainText text={syncText(sync)} />;
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
        <span class={form.actions}>
          {kind?.isCalled && (
            <Button label={`Test connection of ${name}`} onClick={() => void testConnection(registration)}>
              Test connection
            </Button>
          )}
          {kind && (
            <Button label={`Edit ${name}`} onClick={() => edit(registration)}>
              Edit
            </Button>
          )}
          <SyncButton registration={registration} onSyncRequested={onSyncRequested} />
          {(['New webhook', 'Remove'] as const).map((action) => (
            <Button
              key={action}
              label={`${action} ${name}`}
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
