import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import {
  eachRegistration,
  isAnotherSyncDue,
  leaseSync,
  nextSyncDue,
  readSync,
  saveSync,
  updateLeasedSync,
} from '../../store/platform-sync.store.ts';
import { listRegistrations, readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { Slice } from '../_kit/job-slices.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { withoutKnownBetter } from './known-better.ts';
import type { PassRequest } from './pass-request.ts';
import type { RunEvents } from './run-events.ts';
import { emptySync } from './sync-row.ts';
import { everyMinutesOf, isLive } from './sync-schedule.ts';
import type { Fetched, SyncFacts, SyncSource } from './sync-source.ts';

/** Fetches runs page by page; where a pass stands is committed with what it took, so that another process can go on. */
export interface PlatformSync {
  registrationsOf(tenantNo: number): Promise<RegistrationTable[]>;
  rowOf(registration: RegistrationTable): Promise<PlatformSyncTable | null>;
  queue(registration: RegistrationTable, request: PassRequest): Promise<PlatformSyncTable>;
  /** Makes those due whose time has come by their own schedule. */
  scheduleDue(): Promise<void>;
  /** Works on registrations that nobody works on. @returns on how many */
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
  /** Lets go of the pass under way after its commit; a later run goes on there. */
  close(): void;
}

export interface PlatformSyncParts {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  events: RunEvents;
  /** @throws AppError `quota_exceeded` */
  assertRoom(tenantNo: number): Promise<void>;
  leases: Pick<LeaseKeeper, 'owner'>;
  onProblem(subject: string, problem: string): void;
}

/** Longer than one page takes; renewed with every commit. */
const LEASE_MS = 180_000;
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** However long a platform asks to be left alone. */
const LONGEST_WAIT_MS = 24 * LONGEST_PAUSE_MS;
const MINUTE_MS = 60_000;
const ALL = { after: null, offset: 0, limit: 1_000 };

/** An answer that was decoded, and what the sync's row says once it is stored. */
interface ReadAnswer<Facts> {
  values: Partial<PlatformSyncTable>;
  prepared: PreparedBody<Facts>;
}

/** Somebody else works on it by now, or its registration is gone. */
class SyncLost extends Error {}

export function createPlatformSync<Access, Params, Facts extends SyncFacts>(
  parts: PlatformSyncParts,
  source: SyncSource<Access, Params, Facts>,
): PlatformSync {
  const { db, clock } = parts;
  const { integration } = source;
  const closing = new AbortController();
  const { signal } = closing;

  const rowOf = (registration: RegistrationTable) => readSync(db, registration.tenant_no, registration.registration_id);

  async function queue(registration: RegistrationTable, request: PassRequest): Promise<PlatformSyncTable> {
    const { tenant_no: tenantNo, registration_id: registrationId } = registration;
    return inTransaction(db, async (transaction) => {
      const before = await readSync(transaction, tenantNo, registrationId);
      const now = clock.now();
      // A pass under way goes on; what was asked for then comes with the next.
      if (before?.status === 'running' && before.leased_until > now) return before;
      const isNewPass = request.isFull || request.sinceMs !== null;
      const after: PlatformSyncTable = {
        ...(before ?? emptySync(tenantNo, registrationId)),
        status: 'queued',
        is_alerting: request.isAlerting ? 1 : 0,
        ...(isNewPass ? { ...source.forgotten, since_ms: request.sinceMs } : {}),
        attempts: 0,
        failure: null,
        run_at: now,
        updated_at: now,
      };
      await saveSync(transaction, after);
      return after;
    });
  }

  /** Unless it was let go by somebody who took over, `values` stand when this returns. */
  async function update(row: PlatformSyncTable, values: Partial<PlatformSyncTable>): Promise<PlatformSyncTable> {
    const now = clock.now();
    const all = { leased_until: now + LEASE_MS, ...values, updated_at: now };
    if (!(await updateLeasedSync(db, row, all))) throw new SyncLost();
    return { ...row, ...all };
  }

  async function work(leased: PlatformSyncTable): Promise<void> {
    const registration = await readRegistration(db, leased.tenant_no, leased.registration_id);
    if (registration === null) return;
    const instance = await source.instanceOf(registration);
    const slice = new Slice(() => isAnotherSyncDue(db, integration, leased, clock.now()));
    try {
      let row = leased.page_cursor === null ? await begin(leased) : leased;
      if (instance !== null && isLive(instance, row)) row = { ...row, is_alerting: 1 };
      const access = await source.accessOf(registration);
      const tenantId = await tenantIdOf(db, row.tenant_no);
      if (row.page_cursor === null) row = await takeReopened(row, access, tenantId);
      do {
        if (signal.aborted) return await letGo(row);
        // Its page is kept: the pass goes on behind the others that are due.
        if (row.page_cursor !== null && (await slice.isOver())) return await letGo({ ...row, run_at: clock.now() });
        const { values, prepared } = await readFirst(tenantId, source.pages(row, access));
        row = await take(row, tenantId, { values: { ...values, attempts: 0, failure: null }, prepared });
      } while (row.page_cursor !== null);
      await finish(row, instance);
    } catch (error) {
      if (error instanceof SyncLost || (error instanceof AppError && error.cause instanceof SyncLost)) return;
      // What was asked for last was broken off.
      if (signal.aborted) return await letGo(leased);
      await fail(leased, instance, error);
    }
  }

  async function letGo(row: PlatformSyncTable): Promise<void> {
    const { run_at } = row;
    await updateLeasedSync(db, row, { status: 'queued', leased_until: 0, run_at, updated_at: clock.now() });
  }

  function begin(row: PlatformSyncTable): Promise<PlatformSyncTable> {
    const zero = { runs_read: 0, runs_taken: 0, runs_refused: 0 };
    return update(row, { ...zero, newest_seen: null, started_at: clock.now(), finished_at: null });
  }

  async function takeReopened(row: PlatformSyncTable, access: Access, tenantId: string): Promise<PlatformSyncTable> {
    let current = row;
    for await (const fetched of source.reopened?.(row, access) ?? []) {
      current = await take(current, tenantId, await read(tenantId, fetched));
      if (signal.aborted) break;
    }
    return current;
  }

  async function read(
    tenantId: string,
    { body, params, valuesOf }: Fetched<Params, Facts>,
  ): Promise<ReadAnswer<Facts>> {
    const reading = parts.ingest.prepare(tenantId, source.decoder, body, params, { isBackground: true });
    const prepared = await unlessAborted(reading, signal);
    return { values: valuesOf(prepared.facts), prepared };
  }

  /** The first answer that can be read with the memory and in the time that there is. */
  async function readFirst(tenantId: string, answers: AsyncIterable<Fetched<Params, Facts>>) {
    for await (const fetched of answers) {
      try {
        return await read(tenantId, fetched);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'payload_too_large')) throw error;
      }
    }
    throw new AppError('conflict', 'An answer of the platform takes too much memory or time to read.');
  }

  /** Stores what was read and the position of the sync run in one transaction. */
  async function take(row: PlatformSyncTable, tenantId: string, answer: ReadAnswer<Facts>): Promise<PlatformSyncTable> {
    const { wanted, refused } = answer.prepared.facts;
    if (wanted > 0) await parts.assertRoom(row.tenant_no);
    const news = await withoutKnownBetter(db, row.tenant_no, answer.prepared);
    const now = clock.now();
    const after = {
      ...answer.values,
      runs_taken: row.runs_taken + wanted - refused,
      runs_refused: row.runs_refused + refused,
      leased_until: now + LEASE_MS,
      updated_at: now,
    };
    await parts.ingest.ingestPrepared(tenantId, news, {
      isHistory: row.is_alerting === 0,
      alongside: async (transaction) => {
        if (!(await updateLeasedSync(transaction, row, after)))
          throw new AppError('conflict', 'lost', { cause: new SyncLost() });
      },
    });
    parts.events.tell(row.tenant_no, integration, news.facts.runs, 'sync');
    return { ...row, ...after };
  }

  async function finish(row: PlatformSyncTable, instance: RegistrationTable | null): Promise<void> {
    const now = clock.now();
    await update(row, {
      status: 'idle',
      newest_taken: source.newestOf(row),
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

  async function fail(row: PlatformSyncTable, instance: RegistrationTable | null, error: unknown): Promise<void> {
    const now = clock.now();
    if (isTransient(error)) return await letGo(row);
    const isForeseen = error instanceof AppError;
    if (!isForeseen)
      parts.onProblem(row.registration_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
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
    registrationsOf: (tenantNo) => listRegistrations(db, tenantNo, { integration, kind: source.kind }, ALL),
    rowOf,
    queue,
    async scheduleDue() {
      const now = clock.now();
      for await (const registration of eachRegistration(db, integration, source.kind)) {
        const every = minutesOf(await source.instanceOf(registration));
        if (every === null) continue;
        const row = await rowOf(registration);
        const isResting = row === null || row.status === 'idle' || row.status === 'failed';
        const isDue = (row?.finished_at ?? 0) + every * MINUTE_MS <= now;
        if (isResting && isDue)
          await queue(registration, { sinceMs: null, isAlerting: row?.is_alerting === 1, isFull: false });
      }
    },
    async runDue(limit) {
      for (let done = 0; done < limit; done += 1) {
        const now = clock.now();
        const owner = await parts.leases.owner();
        const lease = { token: newId('run', clock, parts.random), owner, now, until: now + LEASE_MS };
        const row = signal.aborted
          ? null
          : await inTransaction(db, (transaction) => leaseSync(transaction, integration, lease));
        if (row === null) return done;
        await work(row);
      }
      return limit;
    },
    nextDueAt: () => nextSyncDue(db, integration),
    close() {
      closing.abort();
    },
  };
}

/** Trouble that time may heal. */
const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'backpressure', 'unavailable', 'busy']);

function minutesOf(instance: RegistrationTable | null): number | null {
  return instance === null ? null : everyMinutesOf(instance);
}

/** Unix milliseconds; null where it has none. */
function nextBySchedule(instance: RegistrationTable | null, now: number): number | null {
  const every = minutesOf(instance);
  return every === null ? null : now + every * MINUTE_MS;
}
