import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { N8nAccess, N8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';
import { PlatformSync, type ScheduledSync } from '../integrations/platform-sync.ts';
import type { PlatformSyncParts } from '../integrations/sync-run.ts';
import type { SyncRunRequest } from '../integrations/sync-run-request.ts';
import type { SyncSource } from '../integrations/sync-source.ts';
import { n8nInstance } from './n8n.source.ts';
import { type N8nExecutionsFacts, type N8nExecutionsParams, n8nExecutions } from './n8n-executions.decoder.ts';
import type { N8nInstances } from './n8n-instances.ts';
import { type SyncRecord, toSyncRecord } from './sync.record.ts';
import { laterId, MAX_OPEN } from './sync-page.ts';

export interface SyncRequest extends SyncRunRequest {
  /** Null: every registered instance. */
  instanceId: string | null;
}

/** Fetches executions of n8n. */
export interface N8nSyncService extends ScheduledSync {
  /** Requests a fetch of executions. @throws AppError `not_found`, `conflict` if there is no instance with a key */
  request(tenantId: string, request: SyncRequest): Promise<SyncRecord[]>;
  status(tenantId: string): Promise<SyncRecord[]>;
}

export function createN8nSyncService(
  options: PlatformSyncParts & {
    client: N8nClient;
    instances: N8nInstances;
    tenantNoOf(tenantId: string): Promise<number>;
  },
): N8nSyncService {
  const { instances, tenantNoOf } = options;
  const sync = new PlatformSync(options, executionsOf(options));
  return {
    async request(tenantId, request) {
      const { instanceId } = request;
      if (instanceId !== null) {
        const instance = await instances.find(tenantId, instanceId);
        instances.accessOf(instance);
        return [toSyncRecord(instance, await sync.queue(instance, request))];
      }
      const all = await sync.registrationsOf(await tenantNoOf(tenantId));
      const ready = all.filter(({ secret_names: names }) => names.includes('"api_key"'));
      if (ready.length === 0)
        throw new AppError(
          'conflict',
          'No n8n instance with an API key is registered. Register one with `misstep integrations add n8n instance`.',
        );
      const records: SyncRecord[] = [];
      for (const instance of ready) records.push(toSyncRecord(instance, await sync.queue(instance, request)));
      return records;
    },
    async status(tenantId) {
      const records: SyncRecord[] = [];
      for (const instance of await sync.registrationsOf(await tenantNoOf(tenantId)))
        records.push(toSyncRecord(instance, await sync.rowOf(instance)));
      return records;
    },
    scheduleDue: () => sync.scheduleDue(),
    runDue: (limit) => sync.runDue(limit),
    nextDueAt: () => sync.nextDueAt(),
    close: () => sync.close(),
  };
}

function executionsOf({
  client,
  clock,
  instances,
}: {
  client: N8nClient;
  clock: Clock;
  instances: N8nInstances;
}): SyncSource<N8nAccess, N8nExecutionsParams, N8nExecutionsFacts> {
  return {
    integration: 'flowplatform',
    kind: n8nInstance.name,
    resetColumns: { newest_taken: null, newest_seen: null, page_cursor: null },
    decoder: n8nExecutions,
    accessOf: async (instance) => instances.accessOf(instance),
    instanceOf: async (instance) => instance,
    newestOf: (row) => laterId(row.newest_taken, row.newest_seen),
    /** Executions that had not ended when they were read. */
    async *reopened(row, access) {
      const ids = openRuns(row);
      const still: string[] = [];
      for (const [at, id] of ids.entries()) {
        const body = await client.execution(access, id);
        yield {
          body: body ?? Buffer.from(NO_EXECUTIONS),
          params: {
            isSingle: body !== null,
            until: { newest_taken: null, since_ms: null },
            receivedAtMs: clock.now(),
          },
          valuesOf({ open }) {
            if (open.length > 0) still.push(id);
            return { open_runs: JSON.stringify([...still, ...ids.slice(at + 1)]) };
          },
        };
      }
    },
    async *pages(row, access) {
      const until = { newest_taken: row.newest_taken, since_ms: row.since_ms };
      for await (const body of client.executions(access, row.page_cursor))
        yield {
          body,
          params: { isSingle: false, until, receivedAtMs: clock.now() },
          valuesOf: ({ cursor, isEnd, newest, open, read }) => ({
            page_cursor: isEnd ? null : cursor,
            newest_seen: laterId(row.newest_seen, newest),
            open_runs: JSON.stringify([...new Set([...open, ...openRuns(row)])].slice(0, MAX_OPEN)),
            runs_read: row.runs_read + read,
          }),
        };
    },
  };
}

/** Placeholder for an execution that n8n has deleted. */
const NO_EXECUTIONS = '{"data":[]}';

function openRuns({ open_runs }: PlatformSyncTable): string[] {
  return JSON.parse(open_runs) as string[];
}
