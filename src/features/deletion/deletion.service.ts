import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { OperationJobTable } from '../../store/background.schema.ts';
import type { Db } from '../../store/connection.ts';
import { deleteTrace } from '../../store/delete-trace.ts';
import { cancelJob } from '../../store/job-lease.store.ts';
import {
  countOperationJobs,
  deleteOperationJob,
  insertOperationJob,
  listOperationJobs,
  readOperationJob,
} from '../../store/operation-job.store.ts';
import type { Database } from '../../store/schema.ts';
import { readTrace } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import { DeletionWorker } from './deletion-worker.ts';
import { newOperationJob } from './new-operation-job.ts';
import { type DeletionInput, type OperationJobRecord, toOperationJobRecord } from './operation-job.record.ts';
import type { RetentionRecord } from './retention.ts';
import { RetentionSchedule } from './retention-schedule.ts';

/** Deletes traces: one, those that match a filter, and those that are older than the retention time. */
export class DeletionService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #truncateLog: () => Promise<unknown>;
  readonly #retention: RetentionSchedule;
  readonly #worker: DeletionWorker;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    /** Retention in days for tenants without a setting; null: unlimited. */
    defaultRetentionDays: number | null;
    /** Maximum retention of the tenant's plan in days; null: unlimited. */
    retentionDaysOf(db: Db, tenantNo: number, now: number): Promise<number | null>;
    tenantNoOf(tenantId: string): Promise<number>;
    /** Deleted data must not stay in the write-ahead log. */
    truncateLog(): Promise<unknown>;
    leases: Pick<LeaseManager, 'owner'>;
    /** False while the clock may be wrong: no trace counts as old then. */
    isClockSteady(): boolean;
    onProblem(subject: string, problem: string): void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#tenantNoOf = options.tenantNoOf;
    this.#truncateLog = options.truncateLog;
    this.#retention = new RetentionSchedule(options);
    this.#worker = new DeletionWorker(options);
  }

  /** Deletes a trace and all data derived from it. @throws AppError `not_found` */
  async deleteTrace(tenantId: string, traceId: string): Promise<void> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const id = canonicalTraceId(traceId);
    await inTransaction(this.#db, async (transaction) => {
      if ((await readTrace(transaction, tenantNo, id)) === null)
        throw new AppError('not_found', `There is no trace ${traceId}.`);
      await deleteTrace(transaction, tenantNo, id);
    });
    await this.#truncateLog();
  }

  /** Queues a job that deletes every trace that matches the filter. */
  async deleteMatching(tenantId: string, filter: DeletionInput): Promise<OperationJobRecord> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const jobId = newId('job', this.#clock, this.#random);
    const job = { tenantNo, jobId, kind: 'delete_traces', input: filter };
    const row = newOperationJob(job, this.#clock.now());
    await inTransaction(this.#db, (transaction) => insertOperationJob(transaction, row));
    return toOperationJobRecord(row);
  }

  /** Newest first. */
  async jobs(tenantId: string, page: PageRequest): Promise<Page<OperationJobRecord>> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const rows = await listOperationJobs(this.#db, tenantNo, toRange(page));
    return toPage(rows, await countOperationJobs(this.#db, tenantNo), page, {
      toItem: toOperationJobRecord,
      positionOf: (row) => ({ at: row.created_at, id: row.job_id }),
    });
  }

  /** @throws AppError `not_found` */
  async job(tenantId: string, jobId: string): Promise<OperationJobRecord> {
    return toOperationJobRecord(await this.#load(tenantId, jobId));
  }

  /** Cancels an open job, deletes the record of a finished one. @throws AppError `not_found` */
  async removeJob(tenantId: string, jobId: string): Promise<void> {
    const { tenant_no: tenantNo } = await this.#load(tenantId, jobId);
    await inTransaction(this.#db, async (transaction) => {
      if (await cancelJob(transaction, 'operation_jobs', { tenantNo, id: jobId }, this.#clock.now())) return;
      await deleteOperationJob(transaction, tenantNo, jobId);
    });
  }

  async retention(tenantId: string): Promise<RetentionRecord> {
    return this.#retention.get(await this.#tenantNoOf(tenantId));
  }

  /**
   * @param days null: without limit; `default`: the setting of the instance
   * @throws AppError `quota_exceeded` for more than the plan allows
   */
  async setRetention(tenantId: string, days: number | null | 'default'): Promise<RetentionRecord> {
    return this.#retention.set(await this.#tenantNoOf(tenantId), days);
  }

  /** Queues a job for every tenant whose traces are kept for a limited time. @returns how many */
  scheduleRetention(): Promise<number> {
    return this.#retention.schedule();
  }

  /**
   * The same, and prunes history, if the last run was before the latest 03:17 local time and the clock is steady.
   * @returns null if it is not due
   */
  scheduleRetentionWhenDue(): Promise<number | null> {
    return this.#retention.scheduleWhenDue();
  }

  /** Works on jobs that no other process works on. @returns how many */
  runDue(limit: number): Promise<number> {
    return this.#worker.runDue(limit);
  }

  nextDueAt(): Promise<number | null> {
    return this.#worker.nextDueAt();
  }

  /** Stops the current job after its batch; a later run continues from there. */
  close(): void {
    this.#worker.close();
  }

  async #load(tenantId: string, jobId: string): Promise<OperationJobTable> {
    const row = await readOperationJob(this.#db, await this.#tenantNoOf(tenantId), jobId);
    if (row === null) throw new AppError('not_found', `There is no job ${jobId}.`);
    return row;
  }
}
