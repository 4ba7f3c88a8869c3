import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Random } from '../../core/id.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { isAnotherSyncDue, readSync, updateLeasedSync } from '../../store/platform-sync.store.ts';
import { readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { Slice } from '../_kit/job-slices.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { withoutCompleteRuns } from './complete-runs.ts';
import type { RunEvents } from './run-events.ts';
import { afterFailure } from './sync-failure.ts';
import { isLive, nextBySchedule } from './sync-schedule.ts';
import type { Fetched, SyncFacts, SyncSource } from './sync-source.ts';

export interface PlatformSyncParts {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  events: RunEvents;
  /** @throws AppError `quota_exceeded` */
  assertQuota(tenantNo: number): Promise<void>;
  leases: Pick<LeaseManager, 'owner'>;
  onProblem(subject: string, problem: string): void;
}

/** Longer than one page takes; renewed with every commit. */
export const SYNC_LEASE_MS = 180_000;

/** A decoded response, and the columns of the sync's row once it is stored. */
interface ReadAnswer<Facts> {
  values: Partial<PlatformSyncTable>;
  prepared: PreparedBody<Facts>;
}

/** Another process has taken the sync over, or its registration was removed. */
class SyncLost extends Error {}

/** Fetches, reads and stores the pages of one leased sync. */
export class SyncRun<Access, Params, Facts extends SyncFacts> {
  readonly #parts: PlatformSyncParts;
  readonly #source: SyncSource<Access, Params, Facts>;
  /** Aborted when the program closes. */
  readonly #signal: AbortSignal;

  constructor(parts: PlatformSyncParts, source: SyncSource<Access, Params, Facts>, signal: AbortSignal) {
    this.#parts = parts;
    this.#source = source;
    this.#signal = signal;
  }

  async work(leased: PlatformSyncTable): Promise<void> {
    const registration = await readRegistration(this.#parts.db, leased.tenant_no, leased.registration_id);
    if (registration === null) return;
    const instance = await this.#source.instanceOf(registration);
    const slice = new Slice(() =>
      isAnotherSyncDue(this.#parts.db, this.#source.integration, leased, this.#parts.clock.now()),
    );
    try {
      let row = leased.page_cursor === null ? await this.#begin(leased) : leased;
      if (instance !== null && isLive(instance, row)) row = { ...row, is_alerting: 1 };
      const access = await this.#source.accessOf(registration);
      const tenantId = await tenantIdOf(this.#parts.db, row.tenant_no);
      if (row.page_cursor === null) row = await this.#storeReopened(row, access, tenantId);
      do {
        if (this.#signal.aborted) return await this.#release(row);
        // The page is kept: this sync continues after the other due ones.
        if (row.page_cursor !== null && (await slice.isTimeUp()))
          return await this.#release({ ...row, run_at: this.#parts.clock.now() });
        const { values, prepared } = await this.#readFirst(tenantId, this.#source.pages(row, access));
        row = await this.#store(row, tenantId, { values: { ...values, attempts: 0, failure: null }, prepared });
      } while (row.page_cursor !== null);
      await this.#finish(row, instance);
    } catch (error) {
      if (error instanceof SyncLost || (error instanceof AppError && error.cause instanceof SyncLost)) return;
      // Closing has aborted the last request.
      if (this.#signal.aborted) return await this.#release(leased);
      await this.#fail(leased, instance, error);
    }
  }

  async #release(row: PlatformSyncTable): Promise<void> {
    const { run_at } = row;
    await updateLeasedSync(this.#parts.db, row, {
      status: 'queued',
      leased_until: 0,
      run_at,
      updated_at: this.#parts.clock.now(),
    });
  }

  #begin(row: PlatformSyncTable): Promise<PlatformSyncTable> {
    const zero = { runs_read: 0, runs_taken: 0, runs_refused: 0 };
    return this.#update(row, { ...zero, newest_seen: null, started_at: this.#parts.clock.now(), finished_at: null });
  }

  async #storeReopened(row: PlatformSyncTable, access: Access, tenantId: string): Promise<PlatformSyncTable> {
    let current = row;
    for await (const fetched of this.#source.reopened?.(row, access) ?? []) {
      current = await this.#store(current, tenantId, await this.#read(tenantId, fetched));
      if (this.#signal.aborted) break;
    }
    return current;
  }

  async #read(tenantId: string, { body, params, valuesOf }: Fetched<Params, Facts>): Promise<ReadAnswer<Facts>> {
    const reading = this.#parts.ingest.prepare(tenantId, this.#source.decoder, body, params, { isBackground: true });
    const prepared = await unlessAborted(reading, this.#signal);
    return { values: valuesOf(prepared.facts), prepared };
  }

  /** The first of the responses that is within the limits of memory and time. */
  async #readFirst(tenantId: string, answers: AsyncIterable<Fetched<Params, Facts>>) {
    for await (const fetched of answers) {
      try {
        return await this.#read(tenantId, fetched);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'payload_too_large')) throw error;
      }
    }
    throw new AppError('conflict', 'A response of the platform takes too much memory or time to read.');
  }

  /** Stores what was read and the position of the sync run in one transaction. */
  async #store(row: PlatformSyncTable, tenantId: string, answer: ReadAnswer<Facts>): Promise<PlatformSyncTable> {
    const { selected, rejected } = answer.prepared.facts;
    if (selected > 0) await this.#parts.assertQuota(row.tenant_no);
    const moreComplete = await withoutCompleteRuns(this.#parts.db, row.tenant_no, answer.prepared);
    const now = this.#parts.clock.now();
    const after = {
      ...answer.values,
      runs_taken: row.runs_taken + selected - rejected,
      runs_refused: row.runs_refused + rejected,
      leased_until: now + SYNC_LEASE_MS,
      updated_at: now,
    };
    await this.#parts.ingest.ingestPrepared(tenantId, moreComplete, {
      isHistory: row.is_alerting === 0,
      withCommit: async (transaction) => {
        if (!(await updateLeasedSync(transaction, row, after)))
          throw new AppError('conflict', 'lost', { cause: new SyncLost() });
      },
    });
    this.#parts.events.publish(row.tenant_no, this.#source.integration, moreComplete.facts.runs, 'sync');
    return { ...row, ...after };
  }

  async #finish(row: PlatformSyncTable, instance: RegistrationTable | null): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#update(row, {
      status: 'idle',
      newest_taken: this.#source.newestOf(row),
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

  async #fail(row: PlatformSyncTable, instance: RegistrationTable | null, error: unknown): Promise<void> {
    if (isTransient(error)) return await this.#release(row);
    const { db, clock, onProblem } = this.#parts;
    if (!(error instanceof AppError))
      onProblem(row.registration_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
    const now = clock.now();
    const attempts = (await readSync(db, row.tenant_no, row.registration_id))?.attempts ?? row.attempts;
    const values = afterFailure(error, attempts, { now, nextAt: nextBySchedule(instance, now) });
    await this.#update(row, { ...values, lease_token: null, leased_until: 0 }).catch((lost: unknown) => {
      if (!(lost instanceof SyncLost)) throw lost;
    });
  }

  /** Stores `values` and renews the lease. @throws SyncLost if another process holds it */
  async #update(row: PlatformSyncTable, values: Partial<PlatformSyncTable>): Promise<PlatformSyncTable> {
    const now = this.#parts.clock.now();
    const all = { leased_until: now + SYNC_LEASE_MS, ...values, updated_at: now };
    if (!(await updateLeasedSync(this.#parts.db, row, all))) throw new SyncLost();
    return { ...row, ...all };
  }
}
