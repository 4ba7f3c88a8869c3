import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { JsonObject } from '../../core/json.ts';
import { decodeDify } from '../../formats/dify/decode-dify.ts';
import type { DifyAccess, DifyClient } from '../../platforms/dify/dify-client.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import {
  eachRegistration,
  leaseSync,
  nextSyncDue,
  readSync,
  saveSync,
  updateLeasedSync,
} from '../../store/platform-sync.store.ts';
import { listRegistrations, readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { emptySync } from '../flowplatform/sync-row.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { withoutKnownBetter } from '../integrations/known-better.ts';
import type { RegistrationService } from '../integrations/registration.service.ts';
import type { RunEvents } from '../integrations/run-events.ts';
import { type AppSyncRecord, toAppSyncRecord } from './app-sync.record.ts';
import { difyApp, difyRuns } from './llmapps.source.ts';
import { afterOf, judgeLogPage, type LogState, type RememberedRun } from './log-pass.ts';

export interface AppSyncRequest {
  /** Null: every registered app that has a key and an instance. */
  appId: string | null;
  /** Unix milliseconds: runs before are left. */
  sinceMs: number | null;
  isAlerting: boolean;
  /** Fetches again what was fetched before. */
  isFull: boolean;
}

/** Fetches summaries of the runs of Dify's apps. Its service API tells no node of a run that has ended. */
export interface AppSyncService {
  /** Notes that summaries are to be fetched. @throws AppError `not_found`, `conflict` where there is no app with a key */
  request(tenantId: string, request: AppSyncRequest): Promise<AppSyncRecord[]>;
  status(tenantId: string): Promise<AppSyncRecord[]>;
  /** Makes those due whose time has come by the schedule of their instance. */
  scheduleDue(): Promise<void>;
  /** @returns how many apps were worked on */
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
  /** Lets go of the pass under way after its commit; a later run goes on there. */
  close(): void;
}

const LLMAPPS = 'llmapps';
/** Longer than one page takes; renewed with every commit. */
const LEASE_MS = 180_000;
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ALL = { after: null, offset: 0, limit: 1_000 };

/** Somebody else works on it by now, or its registration is gone. */
class SyncLost extends Error {}

export function createAppSyncService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  client: DifyClient;
  registrations: Pick<RegistrationService, 'get' | 'credentialsOf'>;
  ingest: Pick<IngestService, 'ingestSpans'>;
  events: RunEvents;
  tenantNoOf(tenantId: string): Promise<number>;
  /** @throws AppError `quota_exceeded` */
  assertRoom(tenantNo: number): Promise<void>;
  onProblem(subject: string, problem: string): void;
}): AppSyncService {
  const { db, clock, client, registrations, tenantNoOf } = options;
  let isClosing = false;

  const appsOf = (tenantNo: number) =>
    listRegistrations(db, tenantNo, { integration: LLMAPPS, kind: difyApp.name }, ALL);

  async function instanceOf(app: RegistrationTable): Promise<RegistrationTable | null> {
    return app.parent_id === null ? null : readRegistration(db, app.tenant_no, app.parent_id);
  }

  async function accessOf(app: RegistrationTable): Promise<DifyAccess> {
    const url = (await instanceOf(app))?.url ?? null;
    if (url === null)
      throw new AppError(
        'conflict',
        `The app ${app.registration_id} belongs to no instance, so its address is not known.`,
      );
    const { api_key: apiKey } = registrations.credentialsOf(app);
    if (apiKey === undefined)
      throw new AppError('conflict', `The app ${app.registration_id} has no api_key; store one first.`);
    return { url, apiKey };
  }

  async function queue(app: RegistrationTable, request: AppSyncRequest): Promise<AppSyncRecord> {
    const { tenant_no: tenantNo, registration_id: registrationId } = app;
    const row = await inTransaction(db, async (transaction) => {
      const before = await readSync(transaction, tenantNo, registrationId);
      const now = clock.now();
      // A pass under way goes on; what was asked for then comes with the next.
      if (before?.status === 'running' && before.leased_until > now) return before;
      const isNewPass = request.isFull || request.sinceMs !== null;
      const anew = { newest_taken: null, newest_seen: null, page_cursor: null, open_runs: '[]' };
      const after: PlatformSyncTable = {
        ...(before ?? emptySync(tenantNo, registrationId)),
        status: 'queued',
        is_alerting: request.isAlerting ? 1 : 0,
        ...(isNewPass ? { ...anew, since_ms: request.sinceMs } : {}),
        attempts: 0,
        failure: null,
        run_at: now,
        updated_at: now,
      };
      await saveSync(transaction, after);
      return after;
    });
    return toAppSyncRecord(app, row);
  }

  async function update(row: PlatformSyncTable, values: Partial<PlatformSyncTable>): Promise<PlatformSyncTable> {
    const now = clock.now();
    const all = { leased_until: now + LEASE_MS, ...values, updated_at: now };
    if (!(await updateLeasedSync(db, row, all))) throw new SyncLost();
    return { ...row, ...all };
  }

  async function work(leased: PlatformSyncTable): Promise<void> {
    const app = await readRegistration(db, leased.tenant_no, leased.registration_id);
    if (app === null) return;
    try {
      let row = leased.page_cursor === null ? await begin(leased) : leased;
      const access = await accessOf(app);
      const tenantId = await tenantIdOf(db, row.tenant_no);
      for (let isEnd = false; !isEnd; ) {
        if (isClosing) return void (await update(row, { status: 'queued', leased_until: 0 }));
        [row, isEnd] = await takePage(row, access, tenantId);
      }
      await finish(row, app);
    } catch (error) {
      if (error instanceof SyncLost || (error instanceof AppError && error.cause instanceof SyncLost)) return;
      await fail(leased, app, error);
    }
  }

  function begin(row: PlatformSyncTable): Promise<PlatformSyncTable> {
    const zero = { runs_read: 0, runs_taken: 0, runs_refused: 0 };
    return update(row, { ...zero, newest_seen: null, started_at: clock.now(), finished_at: null });
  }

  async function takePage(
    row: PlatformSyncTable,
    access: DifyAccess,
    tenantId: string,
  ): Promise<[PlatformSyncTable, boolean]> {
    const state = stateOf(row);
    const page = Number(row.page_cursor ?? 1);
    const { items, hasMore } = await client.logs(access, page, afterOf(state, row.since_ms));
    const seen = { newest: numberOrNull(row.newest_seen), now: clock.now() };
    const verdict = judgeLogPage(items, state, seen);
    const after = await take(row, tenantId, verdict.taken, {
      page_cursor: hasMore ? String(page + 1) : null,
      newest_seen: verdict.newest === null ? null : String(verdict.newest),
      open_runs: JSON.stringify(verdict.remembered),
      runs_read: row.runs_read + items.length,
      attempts: 0,
      failure: null,
    });
    return [after, !hasMore];
  }

  /** Stores summaries and where the pass stands in one transaction. */
  async function take(
    row: PlatformSyncTable,
    tenantId: string,
    entries: readonly JsonObject[],
    values: Partial<PlatformSyncTable>,
  ): Promise<PlatformSyncTable> {
    const now = clock.now();
    if (entries.length > 0) await options.assertRoom(row.tenant_no);
    const decoded = entries.map((entry) => decodeDify(entry));
    const runs = {
      spans: decoded.flatMap(({ spans }) => spans),
      refusals: decoded.flatMap(({ refusals }) => refusals),
    };
    const refused = decoded.filter(({ spans, refusals }) => spans.length === 0 && refusals.length > 0).length;
    const after = {
      ...values,
      runs_taken: row.runs_taken + entries.length - refused,
      runs_refused: row.runs_refused + refused,
      leased_until: now + LEASE_MS,
      updated_at: now,
    };
    const news = await withoutKnownBetter(db, row.tenant_no, difyRuns(runs));
    await options.ingest.ingestSpans(tenantId, news, {
      isHistory: row.is_alerting === 0,
      alongside: async (transaction) => {
        if (!(await updateLeasedSync(transaction, row, after)))
          throw new AppError('conflict', 'lost', { cause: new SyncLost() });
      },
    });
    options.events.tell(row.tenant_no, LLMAPPS, news.spans, 'sync');
    return { ...row, ...after };
  }

  async function finish(row: PlatformSyncTable, app: RegistrationTable): Promise<void> {
    const now = clock.now();
    const newest = Math.max(numberOrNull(row.newest_taken) ?? 0, numberOrNull(row.newest_seen) ?? 0);
    await update(row, {
      status: 'idle',
      newest_taken: newest === 0 ? null : String(newest),
      newest_seen: null,
      since_ms: null,
      page_cursor: null,
      attempts: 0,
      failure: null,
      finished_at: now,
      run_at: await nextBySchedule(app, now),
      lease_token: null,
      leased_until: 0,
    });
  }

  async function fail(row: PlatformSyncTable, app: RegistrationTable, error: unknown): Promise<void> {
    const now = clock.now();
    const isForeseen = error instanceof AppError;
    if (!isForeseen)
      options.onProblem(row.registration_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
    const failure = isForeseen ? error.message : 'The sync failed by a fault of the service.';
    const attempts = ((await readSync(db, row.tenant_no, row.registration_id))?.attempts ?? row.attempts) + 1;
    const mayRetry = isForeseen && RETRIED.has(error.code) && attempts < MAX_ATTEMPTS;
    const asked = isForeseen ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    const pause = Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS));
    await update(row, {
      status: mayRetry ? 'waiting' : 'failed',
      attempts: mayRetry ? attempts : 0,
      failure,
      run_at: mayRetry ? now + pause : await nextBySchedule(app, now),
      finished_at: mayRetry ? null : now,
      lease_token: null,
      leased_until: 0,
    }).catch((lost: unknown) => {
      if (!(lost instanceof SyncLost)) throw lost;
    });
  }

  async function nextBySchedule(app: RegistrationTable, now: number): Promise<number | null> {
    const every = everyMinutesOf(await instanceOf(app));
    return every === null ? null : now + every * MINUTE_MS;
  }

  return {
    async request(tenantId, request) {
      const { appId } = request;
      if (appId !== null) {
        const app = await registrations.get(tenantId, appId);
        if (app.integration !== LLMAPPS || app.kind !== difyApp.name)
          throw new AppError('not_found', `There is no app of Dify ${appId}.`);
        await accessOf(app);
        return [await queue(app, request)];
      }
      const apps = (await appsOf(await tenantNoOf(tenantId))).filter(isReady);
      if (apps.length === 0)
        throw new AppError('conflict', 'No app of Dify with an instance and an API key is registered.');
      const records: AppSyncRecord[] = [];
      for (const app of apps) records.push(await queue(app, request));
      return records;
    },
    async status(tenantId) {
      const records: AppSyncRecord[] = [];
      for (const app of await appsOf(await tenantNoOf(tenantId)))
        records.push(toAppSyncRecord(app, await readSync(db, app.tenant_no, app.registration_id)));
      return records;
    },
    async scheduleDue() {
      const now = clock.now();
      for await (const app of eachRegistration(db, LLMAPPS, difyApp.name)) {
        const every = isReady(app) ? everyMinutesOf(await instanceOf(app)) : null;
        if (every === null) continue;
        const row = await readSync(db, app.tenant_no, app.registration_id);
        const isResting = row === null || row.status === 'idle' || row.status === 'failed';
        const isDue = (row?.finished_at ?? 0) + every * MINUTE_MS <= now;
        if (isResting && isDue)
          await queue(app, { appId: null, sinceMs: null, isAlerting: row?.is_alerting === 1, isFull: false });
      }
    },
    async runDue(limit) {
      for (let done = 0; done < limit; done += 1) {
        const now = clock.now();
        const lease = { token: newId('run', clock, options.random), now, until: now + LEASE_MS };
        const row = isClosing ? null : await inTransaction(db, (transaction) => leaseSync(transaction, LLMAPPS, lease));
        if (row === null) return done;
        await work(row);
      }
      return limit;
    },
    nextDueAt: () => nextSyncDue(db, LLMAPPS),
    close() {
      isClosing = true;
    },
  };
}

/** Trouble that time may heal. */
const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'backpressure', 'unavailable', 'busy']);

function isReady({ parent_id, secret_names }: RegistrationTable): boolean {
  return parent_id !== null && secret_names.includes('"api_key"');
}

function everyMinutesOf(instance: RegistrationTable | null): number | null {
  if (instance === null) return null;
  const said = (JSON.parse(instance.details) as { sync_every_minutes?: number | null }).sync_every_minutes;
  return said ?? null;
}

function stateOf(row: PlatformSyncTable): LogState {
  return { newest: numberOrNull(row.newest_taken), remembered: JSON.parse(row.open_runs) as RememberedRun[] };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}
