import { AppError } from '../../core/app-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { N8nAccess, N8nClient } from '../../platforms/n8n/n8n-client.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';
import type { PassRequest } from '../integrations/pass-request.ts';
import {
  createPlatformSync,
  type Fetched,
  type PlatformSync,
  type PlatformSyncParts,
  type SyncSource,
} from '../integrations/platform-sync.ts';
import { decodeRuns, n8nInstance } from './flowplatform.source.ts';
import type { N8nInstances } from './n8n-instances.ts';
import { type SyncRecord, toSyncRecord } from './sync.record.ts';
import { isOpen, judgePage, later } from './sync-pass.ts';

export interface SyncRequest extends PassRequest {
  /** Null: every registered instance. */
  instanceId: string | null;
}

/** Fetches executions of n8n. */
export interface FlowplatformSyncService extends Pick<PlatformSync, 'scheduleDue' | 'runDue' | 'nextDueAt' | 'close'> {
  /** Notes that executions are to be fetched. @throws AppError `not_found`, `conflict` where there is no instance with a key */
  request(tenantId: string, request: SyncRequest): Promise<SyncRecord[]>;
  status(tenantId: string): Promise<SyncRecord[]>;
}

/** Executions that were open when they were read, fetched again in the next pass. */
const MAX_OPEN = 200;

export function createFlowplatformSyncService(
  options: PlatformSyncParts & {
    client: N8nClient;
    instances: N8nInstances;
    tenantNoOf(tenantId: string): Promise<number>;
  },
): FlowplatformSyncService {
  const { instances, tenantNoOf } = options;
  const sync = createPlatformSync(options, executionsOf(options));
  const { scheduleDue, runDue, nextDueAt, close } = sync;
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
        throw new AppError('conflict', 'No n8n with an API key is registered; POST /flowplatform/instances makes one.');
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
    scheduleDue,
    runDue,
    nextDueAt,
    close,
  };
}

function executionsOf({ client, instances }: { client: N8nClient; instances: N8nInstances }): SyncSource<N8nAccess> {
  return {
    integration: 'flowplatform',
    kind: n8nInstance.name,
    forgotten: { newest_taken: null, newest_seen: null, page_cursor: null },
    accessOf: async (instance) => instances.accessOf(instance),
    instanceOf: async (instance) => instance,
    decode: decodeRuns,
    newestOf: (row) => later(row.newest_taken, row.newest_seen),
    /** Those that had not ended when they were read. */
    async *reopened(row, access) {
      const ids = openRuns(row);
      const still: string[] = [];
      for (const [at, id] of ids.entries()) {
        const execution: JsonObject | null = await client.execution(access, id);
        if (execution !== null && isOpen(execution)) still.push(id);
        const values = { open_runs: JSON.stringify([...still, ...ids.slice(at + 1)]) };
        yield { records: execution === null ? [] : [execution], values } satisfies Fetched;
      }
    },
    async page(row, access) {
      const page = await client.executions(access, row.page_cursor);
      const verdict = judgePage(page.items, row);
      const open = [...new Set([...verdict.open, ...openRuns(row)])].slice(0, MAX_OPEN);
      const isEnd = verdict.isEnd || page.cursor === null;
      const values = {
        page_cursor: isEnd ? null : page.cursor,
        newest_seen: later(row.newest_seen, verdict.newest),
        open_runs: JSON.stringify(open),
        runs_read: row.runs_read + verdict.read,
      };
      return { records: verdict.taken, values, isEnd };
    },
  };
}

function openRuns({ open_runs }: PlatformSyncTable): string[] {
  return JSON.parse(open_runs) as string[];
}
