import { newId } from '../../core/id.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { eachRegistration, leaseSync, nextSyncDue, readSync, saveSync } from '../../store/platform-sync.store.ts';
import { listRegistrations } from '../../store/registration.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { emptySync } from './sync-row.ts';
import type { PlatformSyncParts } from './sync-run.ts';
import { SYNC_LEASE_MS, SyncRun } from './sync-run.ts';
import type { SyncRunRequest } from './sync-run-request.ts';
import { MINUTE_MS, scheduledMinutes } from './sync-schedule.ts';
import type { SyncFacts, SyncSource } from './sync-source.ts';

const ALL = { after: null, offset: 0, limit: 1_000 };

/** Called by the schedule of the server. */
export interface ScheduledSync {
  /** Queues the registrations whose scheduled time has come. */
  scheduleDue(): Promise<void>;
  /** Syncs registrations that no other process syncs. @returns how many */
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
  /** Stops the current run after its commit; a later run continues from there. */
  close(): void;
}

/**
 * Fetches runs page by page. The position is committed with the runs it covers, so that another process can continue
 * there.
 */
export class PlatformSync<Access, Params, Facts extends SyncFacts> implements ScheduledSync {
  readonly #parts: PlatformSyncParts;
  readonly #source: SyncSource<Access, Params, Facts>;
  readonly #closing = new AbortController();
  readonly #run: SyncRun<Access, Params, Facts>;

  constructor(parts: PlatformSyncParts, source: SyncSource<Access, Params, Facts>) {
    this.#parts = parts;
    this.#source = source;
    this.#run = new SyncRun(parts, source, this.#closing.signal);
  }

  registrationsOf(tenantNo: number): Promise<RegistrationTable[]> {
    const { integration, kind } = this.#source;
    return listRegistrations(this.#parts.db, tenantNo, { integration, kind }, ALL);
  }

  rowOf(registration: RegistrationTable): Promise<PlatformSyncTable | null> {
    return readSync(this.#parts.db, registration.tenant_no, registration.registration_id);
  }

  async queue(registration: RegistrationTable, request: SyncRunRequest): Promise<PlatformSyncTable> {
    const { tenant_no: tenantNo, registration_id: registrationId } = registration;
    return inTransaction(this.#parts.db, async (transaction) => {
      const before = await readSync(transaction, tenantNo, registrationId);
      const now = this.#parts.clock.now();
      // A running sync continues; a request made during it is served by the next one.
      if (before?.status === 'running' && before.leased_until > now) return before;
      const isNewRun = request.isFull || request.sinceMs !== null;
      const after: PlatformSyncTable = {
        ...(before ?? emptySync(tenantNo, registrationId)),
        status: 'queued',
        is_alerting: request.isAlerting ? 1 : 0,
        ...(isNewRun ? { ...this.#source.resetColumns, since_ms: request.sinceMs } : {}),
        attempts: 0,
        failure: null,
        run_at: now,
        updated_at: now,
      };
      await saveSync(transaction, after);
      return after;
    });
  }

  async scheduleDue(): Promise<void> {
    const { db, clock } = this.#parts;
    const { integration, kind } = this.#source;
    const now = clock.now();
    for await (const registration of eachRegistration(db, integration, kind)) {
      const every = scheduledMinutes(await this.#source.instanceOf(registration));
      if (every === null) continue;
      const row = await this.rowOf(registration);
      const isIdle = row === null || row.status === 'idle' || row.status === 'failed';
      const isDue = (row?.finished_at ?? 0) + every * MINUTE_MS <= now;
      if (isIdle && isDue)
        await this.queue(registration, { sinceMs: null, isAlerting: row?.is_alerting === 1, isFull: false });
    }
  }

  async runDue(limit: number): Promise<number> {
    for (let done = 0; done < limit; done += 1) {
      const row = await this.#lease();
      if (row === null) return done;
      await this.#run.work(row);
    }
    return limit;
  }

  nextDueAt(): Promise<number | null> {
    return nextSyncDue(this.#parts.db, this.#source.integration);
  }

  close(): void {
    this.#closing.abort();
  }

  async #lease(): Promise<PlatformSyncTable | null> {
    const { db, clock, random, leases } = this.#parts;
    const now = clock.now();
    const owner = await leases.owner();
    const lease = { token: newId('run', clock, random), owner, now, until: now + SYNC_LEASE_MS };
    if (this.#closing.signal.aborted) return null;
    return inTransaction(db, (transaction) => leaseSync(transaction, this.#source.integration, lease));
  }
}
