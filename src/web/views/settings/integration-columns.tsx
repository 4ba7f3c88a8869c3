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

/** An action that is confirmed first. */
export interface PendingAction {
  action: 'New webhook' | 'Remove';
  integration: Registration;
}

export const INTEGRATION_COLUMNS: Column<Registration>[] = [
  { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
  {
    title: 'Platform',
    cell: (one) => <PlainText text={kindOf(one)?.title ?? `${PLATFORMS[one.integration]} ${one.kind}`} />,
  },
  { title: 'URL', cell: ({ url }) => <PlainText text={url ?? ''} /> },
  {
    title: 'Credentials',
    cell: (one) => {
      const labels = kindOf(one)?.credentials.flatMap(({ name, label }) =>
        one.credentials.includes(name) ? [label] : [],
      );
      return (labels ?? one.credentials).join(', ') || 'none';
    },
  },
  {
    title: `Last event (${ZONE})`,
    cell: ({ last_event_at }) => (last_event_at === null ? 'none' : timeText(last_event_at)),
  },
];

/** State of fetching; empty for a registration whose runs are not fetched. */
export function fetchingOf(syncs: SyncByRegistration): Column<Registration> {
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
  edit(one: Registration): void;
  /** Called after runs were requested. */
  fetched(): void;
}

export function actionsOf({ requestAction, edit, fetched }: IntegrationActions): Column<Registration> {
  return {
    title: 'Actions',
    cell: (one) => {
      const kind = kindOf(one);
      const name = visibleText(one.name);
      return (
        <span class={form.actions}>
          {kind?.isCalled && (
            <Button label={`Test connection of ${name}`} onClick={() => void testConnection(one)}>
              Test connection
            </Button>
          )}
          {kind && (
            <Button label={`Edit ${name}`} onClick={() => edit(one)}>
              Edit
            </Button>
          )}
          <SyncButton one={one} fetched={fetched} />
          {(['New webhook', 'Remove'] as const).map((action) => (
            <Button
              key={action}
              label={`${action} ${name}`}
              onClick={() => requestAction({ action, integration: one })}
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
  const checked = await runAction('The connection could not be tested', () =>
    server.integrations.check({ registration_id }),
  );
  if (checked === undefined) return;
  if (checked.is_connected) showToast(`${visibleText(name)} answers, and accepts the credentials.`);
  else showProblem(`${visibleText(name)} is not connected`, visibleText(checked.problem ?? ''));
}

/** Only n8n instances and Dify apps keep runs that can be fetched. */
function SyncButton({ one, fetched }: { one: Registration; fetched(): void }) {
  const { integration, kind, name, registration_id } = one;
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
    fetched();
  };
  return (
    <Button label={`Fetch runs of ${visibleText(name)}`} onClick={() => void run()}>
      Fetch runs
    </Button>
  );
}
