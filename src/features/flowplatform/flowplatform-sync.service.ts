import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { JsonObject } from '../../core/json.ts';
import type { N8nAccess, N8nClient } from '../../platforms/n8n/n8n-client.ts';
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
import type { IngestService } from '../ingest/ingest.service.ts';
import type { RunEvents } from '../integrations/run-events.ts';
import { decodeRuns, n8nInstance } from './flowplatform.source.ts';
import type { N8nInstances } from './n8n-instances.ts';
import { everyMinutesOf, isLive, type SyncRecord, toSyncRecord } from './sync.record.ts';
import { isOpen, judgePage, later } from './sync-pass.ts';
import { emptySync, nextBySchedule } from './sync-row.ts';

export interface SyncRequest {
  /** Null: every registered instance. */
  instanceId: string | null;
  /** Unix milliseconds: executions that began before are left. */
  sinceMs: number | null;
  /** What is found alerts people, as if it came live. */
  isAlerting: boolean;
  /** Fetches again what was fetched before. */
  isFull: boolean;
}

export interface FlowplatformSyncService {
  /** Notes that executions are to be fetched. @throws AppError `not_found`, `conflict` where there is no instance with a key */
  request(tenantId: string, request: SyncRequest): Promise<SyncRecord[]>;
  status(tenantId: string): Promise<SyncRecord[]>;
  /** Makes those due whose time has come by their own schedule. */
  scheduleDue(): Promise<void>;
  /** Fetches for instances that nobody works on. @returns how many */
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
  /** Lets go of the pass under way after its commit; a later run goes on there. */
  close(): void;
}

const FLOWPLATFORM = 'flowplatform';
/** Longer than one page takes; renewed with every commit. */
const LEASE_MS = 180_000;
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** However long a platform asks to be left alone. */
const LONGEST_WAIT_MS = 24 * LONGEST_PAUSE_MS;
/** Executions that were open when they were read, fetched again in the next pass. */
const MAX_OPEN = 200;
const MINUTE_MS = 60_000;
const ALL = { after: null, offset: 0, limit: 1_000 };

/** Somebody else works on it by now, or its registration is gone. */
class SyncLost extends Error {}

export function createFlowplatformSyncService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  client: N8nClient;
  instances: N8nInstances;
  ingest: Pick<IngestService, 'ingestSpans'>;
  events: RunEvents;
  tenantNoOf(tenantId: string): Promise<number>;
  /** @throws AppError `quota_exceeded` */
  assertRoom(tenantNo: number): Promise<void>;
  onProblem(subject: string, problem: string): void;
}): FlowplatformSyncService {
  const { db, clock, client, instances, tenantNoOf } = options;
  let isClosing = false;

  const instancesOf = (tenantNo: number) =>
    listRegistrations(db, tenantNo, { integration: FLOWPLATFORM, kind: n8nInstance.name }, ALL);

  async function queue(instance: RegistrationTable, request: SyncRequest): Promise<SyncRecord> {
    const { tenant_no: tenantNo, registration_id: registrationId } = instance;
    const row = await inTransaction(db, async (transaction) => {
      const before = await readSync(transaction, tenantNo, registrationId);
      const now = clock.now();
      // A pass under way goes on; what was asked for then comes with the next.
      if (before?.status === 'running' && before.leased_until > now) return before;
      const isNewPass = request.isFull || request.sinceMs !== null;
      const after: PlatformSyncTable = {
        ...(before ?? emptySync(tenantNo, registrationId)),
        status: 'queued',
        is_alerting: request.isAlerting ? 1 : 0,
        ...(isNewPass ? { newest_taken: null, newest_seen: null, page_cursor: null, since_ms: request.sinceMs } : {}),
        attempts: 0,
        failure: null,
        run_at: now,
        updated_at: now,
      };
      await saveSync(transaction, after);
      return after;
    });
    return toSyncRecord(instance, row);
  }

  /** Unless it was let go by somebody who took over, `values` stand when this returns. */
  async function update(row: PlatformSyncTable, values: Partial<PlatformSyncTable>): Promise<PlatformSyncTable> {
    const now = clock.now();
    const all = { leased_until: now + LEASE_MS, ...values, updated_at: now };
    if (!(await updateLeasedSync(db, row, all))) throw new SyncLost();
    return { ...row, ...all };
  }

  async function work(leased: PlatformSyncTable): Promise<void> {
    const instance = await readRegistration(db, leased.tenant_no, leased.registration_id);
    if (instance === null) return;
    try {
      let row = leased.page_cursor === null ? await begin(leased) : leased;
      if (isLive(instance, row)) row = { ...row, is_alerting: 1 };
      const access = instances.accessOf(instance);
      const tenantId = await tenantIdOf(db, row.tenant_no);
      row = await finishOpen(row, access, tenantId);
      for (let isEnd = false; !isEnd; ) {
        if (isClosing) return await letGo(row);
        [row, isEnd] = await takePage(row, access, tenantId);
      }
      await finish(row, instance);
    } catch (error) {
      if (error instanceof SyncLost || (error instanceof AppError && error.cause instanceof SyncLost)) return;
      // What was asked for last was broken off.
      if (isClosing) return await letGo(leased);
      await fail(leased, instance, error);
    }
  }

  async function letGo(row: PlatformSyncTable): Promise<void> {
    await updateLeasedSync(db, row, { status: 'queued', leased_until: 0, updated_at: clock.now() });
  }

  function begin(row: PlatformSyncTable): Promise<PlatformSyncTable> {
    const now = clock.now();
    const zero = { runs_read: 0, runs_taken: 0, runs_refused: 0 };
    return update(row, { ...zero, newest_seen: null, started_at: now, finished_at: null });
  }

  /** Those that had not ended when they were read. */
  async function finishOpen(row: PlatformSyncTable, access: N8nAccess, tenantId: string): Promise<PlatformSyncTable> {
    let current = row;
    const ids = JSON.parse(row.open_runs) as string[];
    if (row.page_cursor !== null || ids.length === 0) return row;
    const still: string[] = [];
    for (const [at, id] of ids.entries()) {
      if (isClosing) break;
      const execution = await client.execution(access, id);
      if (execution !== null && isOpen(execution)) still.push(id);
      const open_runs = JSON.stringify([...still, ...ids.slice(at + 1)]);
      current = await take(current, tenantId, execution === null ? [] : [execution], { open_runs });
    }
    return current;
  }

  async function takePage(
    row: PlatformSyncTable,
    access: N8nAccess,
    tenantId: string,
  ): Promise<[PlatformSyncTable, boolean]> {
    const page = await client.executions(access, row.page_cursor);
    const verdict = judgePage(page.items, row);
    const open = [...new Set([...verdict.open, ...(JSON.parse(row.open_runs) as string[])])].slice(0, MAX_OPEN);
    const isEnd = verdict.isEnd || page.cursor === null;
    const after = await take(row, tenantId, verdict.taken, {
      page_cursor: isEnd ? null : page.cursor,
      newest_seen: later(row.newest_seen, verdict.newest),
      open_runs: JSON.stringify(open),
      runs_read: row.runs_read + verdict.read,
      attempts: 0,
      failure: null,
    });
    return [after, isEnd];
  }

  /** Stores executions and where the pass stands in one transaction. */
  async function take(
    row: PlatformSyncTable,
    tenantId: string,
    executions: readonly JsonObject[],
    values: Partial<PlatformSyncTable>,
  ): Promise<PlatformSyncTable> {
    const now = clock.now();
    if (executions.length > 0) await options.assertRoom(row.tenant_no);
    const decoded = executions.map((execution) => decodeRuns(execution, now));
    const runs = {
      spans: decoded.flatMap(({ spans }) => spans),
      refusals: decoded.flatMap(({ refusals }) => refusals),
    };
    const refused = decoded.filter(({ spans, refusals }) => spans.length === 0 && refusals.length > 0).length;
    const after = {
      ...values,
      runs_taken: row.runs_taken + executions.length - refused,
      runs_refused: row.runs_refused + refused,
      leased_until: now + LEASE_MS,
      updated_at: now,
    };
    await options.ingest.ingestSpans(tenantId, runs, {
      isHistory: row.is_alerting === 0,
      alongside: async (transaction) => {
        if (!(await updateLeasedSync(transaction, row, after)))
          throw new AppError('conflict', 'lost', { cause: new SyncLost() });
      },
    });
    options.events.tell(row.tenant_no, FLOWPLATFORM, runs.spans, 'sync');
    return { ...row, ...after };
  }

  async function finish(row: PlatformSyncTable, instance: RegistrationTable): Promise<void> {
    const now = clock.now();
    await update(row, {
      status: 'idle',
      newest_taken: later(row.newest_taken, row.newest_seen),
      newest_seen: null,
      since_ms: null,
      page_cursor: null,
      attempts: 0,
      failure: null,
      finished_at: now,
      run_at: nextBySchedule(instance, now),
      lease_token: null,
      leased_until: 0,
    });
  }

  async function fail(row: PlatformSyncTable, instance: RegistrationTable, error: unknown): Promise<void> {
    const now = clock.now();
    const isForeseen = error instanceof AppError;
    if (!isForeseen)
      options.onProblem(row.registration_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
    const failure = isForeseen ? error.message : 'The sync failed by a fault of the service.';
    const attempts = ((await readSync(db, row.tenant_no, row.registration_id))?.attempts ?? row.attempts) + 1;
    const mayRetry = isForeseen && RETRIED.has(error.code) && attempts < MAX_ATTEMPTS;
    const asked = Math.min(isForeseen ? (error.retryAfterSeconds ?? 0) * 1_000 : 0, LONGEST_WAIT_MS);
    const pause = Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS));
    await update(row, {
      status: mayRetry ? 'waiting' : 'failed',
      attempts: mayRetry ? attempts : 0,
      failure,
      run_at: mayRetry ? now + pause : nextBySchedule(instance, now),
      finished_at: mayRetry ? null : now,
      lease_token: null,
      leased_until: 0,
    }).catch((lost: unknown) => {
      if (!(lost instanceof SyncLost)) throw lost;
    });
  }

  return {
    async request(tenantId, request) {
      const all = await instancesOf(await tenantNoOf(tenantId));
      const { instanceId } = request;
      if (instanceId !== null) {
        const instance = await instances.find(tenantId, instanceId);
        instances.accessOf(instance);
        return [await queue(instance, request)];
      }
      const ready = all.filter(({ secret_names: names }) => names.includes('"api_key"'));
      if (ready.length === 0)
        throw new AppError('conflict', 'No n8n with an API key is registered; POST /flowplatform/instances makes one.');
      const records: SyncRecord[] = [];
      for (const instance of ready) records.push(await queue(instance, request));
      return records;
    },
    async status(tenantId) {
      const all = await instancesOf(await tenantNoOf(tenantId));
      const records: SyncRecord[] = [];
      for (const instance of all)
        records.push(toSyncRecord(instance, await readSync(db, instance.tenant_no, instance.registration_id)));
      return records;
    },
    async scheduleDue() {
      const now = clock.now();
      for await (const instance of eachRegistration(db, FLOWPLATFORM, n8nInstance.name)) {
        const every = everyMinutesOf(instance);
        if (every === null) continue;
        const row = await readSync(db, instance.tenant_no, instance.registration_id);
        const isResting = row === null || row.status === 'idle' || row.status === 'failed';
        const isDue = (row?.finished_at ?? 0) + every * MINUTE_MS <= now;
        if (isResting && isDue)
          await queue(instance, { instanceId: null, sinceMs: null, isAlerting: row?.is_alerting === 1, isFull: false });
      }
    },
    async runDue(limit) {
      for (let done = 0; done < limit; done += 1) {
        const now = clock.now();
        const token = newId('run', clock, options.random);
        const row = isClosing
          ? null
          : await inTransaction(db, (transaction) =>
              leaseSync(transaction, FLOWPLATFORM, { token, now, until: now + LEASE_MS }),
            );
        if (row === null) return done;
        await work(row);
      }
      return limit;
    },
    nextDueAt: () => nextSyncDue(db, FLOWPLATFORM),
    close() {
      isClosing = true;
    },
  };
}

/** Trouble that time may heal. */
const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'backpressure', 'unavailable', 'busy']);
