import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { DifyAccess, DifyClient } from '../../platforms/dify/dify-client.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { PlatformSync, type ScheduledSync } from '../integrations/platform-sync.ts';
import type { RegistrationService } from '../integrations/registration.service.ts';
import type { PlatformSyncParts } from '../integrations/sync-run.ts';
import type { SyncRunRequest } from '../integrations/sync-run-request.ts';
import type { SyncSource } from '../integrations/sync-source.ts';
import { type AppSyncRecord, toAppSyncRecord } from './app-sync.record.ts';
import { difyApp, isReady } from './dify.source.ts';
import { type DifyLogsFacts, type DifyLogsParams, difyLogs } from './dify-logs.decoder.ts';
import { afterOf, type KnownRun, type LogState } from './sync-log-page.ts';

export interface AppSyncRequest extends SyncRunRequest {
  /** Null: every registered app with a key and an instance. */
  appId: string | null;
}

/** Fetches summaries of the runs of Dify's apps. Its service API returns no nodes of a run that has ended. */
export interface AppSyncService extends ScheduledSync {
  /** Requests a fetch of summaries. @throws AppError `not_found`, `conflict` if there is no app with a key */
  request(tenantId: string, request: AppSyncRequest): Promise<AppSyncRecord[]>;
  status(tenantId: string): Promise<AppSyncRecord[]>;
  /** Reads the newest entry of the app's log. @throws AppError `conflict`, `unreachable` */
  checkConnection(app: RegistrationTable): Promise<void>;
}

const DIFY = 'llmapps';

type Registrations = Pick<RegistrationService, 'get' | 'credentialsOf'>;

export function createAppSyncService(
  options: PlatformSyncParts & {
    client: DifyClient;
    registrations: Registrations;
    tenantNoOf(tenantId: string): Promise<number>;
  },
): AppSyncService {
  const { db, registrations, tenantNoOf } = options;
  const source = logsOf(options);
  const sync = new PlatformSync(options, source);
  const recordOf = async (app: RegistrationTable, row: PlatformSyncTable | null) =>
    toAppSyncRecord(app, await instanceOf(db, app), row);
  return {
    async request(tenantId, request) {
      const { appId } = request;
      if (appId !== null) {
        const app = await registrations.get(tenantId, appId);
        if (app.integration !== DIFY || app.kind !== difyApp.name)
          throw new AppError('not_found', `There is no app of Dify ${appId}.`);
        await source.accessOf(app);
        return [await recordOf(app, await sync.queue(app, request))];
      }
      const apps = (await sync.registrationsOf(await tenantNoOf(tenantId))).filter(isReady);
      if (apps.length === 0)
        throw new AppError('conflict', 'No app of Dify with an instance and an API key is registered.');
      const records: AppSyncRecord[] = [];
      for (const app of apps) records.push(await recordOf(app, await sync.queue(app, request)));
      return records;
    },
    async status(tenantId) {
      const records: AppSyncRecord[] = [];
      for (const app of await sync.registrationsOf(await tenantNoOf(tenantId)))
        records.push(await recordOf(app, await sync.rowOf(app)));
      return records;
    },
    async checkConnection(app) {
      await options.client.check(await source.accessOf(app));
    },
    scheduleDue: () => sync.scheduleDue(),
    runDue: (limit) => sync.runDue(limit),
    nextDueAt: () => sync.nextDueAt(),
    close: () => sync.close(),
  };
}

function logsOf(options: {
  db: Kysely<Database>;
  clock: Clock;
  client: DifyClient;
  registrations: Registrations;
}): SyncSource<DifyAccess, DifyLogsParams, DifyLogsFacts> {
  const { db, clock, client, registrations } = options;

  return {
    integration: DIFY,
    kind: difyApp.name,
    resetColumns: { newest_taken: null, newest_seen: null, page_cursor: null, open_runs: '[]' },
    decoder: difyLogs,
    async accessOf(app) {
      const url = (await instanceOf(db, app))?.url ?? null;
      if (url === null)
        throw new AppError(
          'conflict',
          `The app ${app.registration_id} belongs to no instance, so its address is not known.`,
        );
      const { api_key: apiKey } = registrations.credentialsOf(app);
      if (apiKey === undefined)
        throw new AppError('conflict', `The app ${app.registration_id} has no api_key; store one first.`);
      return { url, apiKey };
    },
    // Without a key it cannot be called, so no schedule makes it due.
    instanceOf: async (app) => (isReady(app) ? instanceOf(db, app) : null),
    newestOf(row) {
      const newest = Math.max(numberOrNull(row.newest_taken) ?? 0, numberOrNull(row.newest_seen) ?? 0);
      return newest === 0 ? null : String(newest);
    },
    async *pages(row, access) {
      const before = stateOf(row);
      const page = Number(row.page_cursor ?? 1);
      yield {
        body: await client.logs(access, page, afterOf(before, row.since_ms)),
        params: { before, seen: { newest: numberOrNull(row.newest_seen), now: clock.now() } },
        valuesOf: ({ hasMore, newest, remembered, read }) => ({
          page_cursor: hasMore ? String(page + 1) : null,
          newest_seen: newest === null ? null : String(newest),
          open_runs: JSON.stringify(remembered),
          runs_read: row.runs_read + read,
        }),
      };
    },
  };
}

async function instanceOf(db: Kysely<Database>, app: RegistrationTable): Promise<RegistrationTable | null> {
  return app.parent_id === null ? null : readRegistration(db, app.tenant_no, app.parent_id);
}

function stateOf(row: PlatformSyncTable): LogState {
  return { newest: numberOrNull(row.newest_taken), remembered: JSON.parse(row.open_runs) as KnownRun[] };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
