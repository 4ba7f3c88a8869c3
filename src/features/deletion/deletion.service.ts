import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { OperationJobTable } from '../../store/background.schema.ts';
import type { Db } from '../../store/connection.ts';
import { forgetTrace, forgetTraces } from '../../store/forget-trace.ts';
import { readInstanceValue, writeInstanceValue } from '../../store/instance.store.ts';
import { cancelJob, nextJobDue, tenantsWithOpenJobs, updateLeased } from '../../store/job-lease.store.ts';
import {
  countOperationJobs,
  deleteOperationJob,
  hasOpenJob,
  insertOperationJob,
  listOperationJobs,
  readOperationJob,
} from '../../store/operation-job.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { eachTenantNo } from '../../store/tenant.store.ts';
import { readTrace } from '../../store/trace.store.ts';
import { listTraceIds } from '../../store/trace-list.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import { JobSlices, Slice } from '../_kit/job-slices.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import { type DeletionInput, type OperationJobRecord, toOperationJobRecord } from './operation-job.record.ts';
import { pruneHistory } from './prune-history.ts';
import {
  assertWithinPlan,
  type RetentionBounds,
  type RetentionRecord,
  readRetention,
  toRetentionRecord,
  writeRetention,
} from './retention.ts';
import { isRetentionDue } from './retention-due.ts';

export interface DeletionService {
  /** Deletes a trace and all that was made of it, for good. @throws AppError `not_found` */
  deleteTrace(tenantId: string, traceId: string): Promise<void>;
  /** Notes a job that deletes every trace the filter fits. */
  deleteMatching(tenantId: string, filter: DeletionInput): Promise<OperationJobRecord>;
  /** Newest first. */
  jobs(tenantId: string, page: PageRequest): Promise<Page<OperationJobRecord>>;
  /** @throws AppError `not_found` */
  job(tenantId: string, jobId: string): Promise<OperationJobRecord>;
  /** Cancels an open job, forgets one that is over. @throws AppError `not_found` */
  removeJob(tenantId: string, jobId: string): Promise<void>;
  retention(tenantId: string): Promise<RetentionRecord>;
  /**
   * @param days null: for ever; `default`: as the instance does
   * @throws AppError `quota_exceeded` for more than the plan allows
   */
  setRetention(tenantId: string, days: number | null | 'default'): Promise<RetentionRecord>;
  /** Notes a job for every tenant whose traces are kept for a time. @returns how many */
  scheduleRetention(): Promise<number>;
  /** The same, and prunes history, where the last run was before the latest 03:17 local time and the clock is steady. @returns null where it is not due */
  scheduleRetentionWhenDue(): Promise<number | null>;
  /** Works on jobs that nobody works on. @returns how many */
  runDue(limit: number): Promise<number>;
  nextDueAt(): Promise<number | null>;
  /** Lets go of the job in work after its batch; a later run goes on there. */
  close(): void;
}

const LEASE_MS = 10_000;
/** Small, so that those who write meanwhile wait little. */
const BATCH = 50;
const RETRY_MS = 5_000;
const DAY_MS = 86_400_000;
const RETENTION = 'retention';
const LAST_RETENTION = 'retention_scheduled_at';

export function createDeletionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  /** Days that traces are kept where a tenant says nothing; null: for ever. */
  defaultRetentionDays: number | null;
  /** Days that the tenant's plan keeps traces at most; null: any. */
  keptDaysOf(db: Db, tenantNo: number, now: number): Promise<number | null>;
  tenantNoOf(tenantId: string): Promise<number>;
  /** What was deleted must not stay in the write-ahead log either. */
  truncateLog(): Promise<unknown>;
  leases: Pick<LeaseKeeper, 'owner'>;
  /** False while the clock may be wrong: nothing counts as old then. */
  isClockSteady(): boolean;
  onProblem(subject: string, problem: string): void;
}): DeletionService {
  const { db, clock, random, tenantNoOf } = options;
  const slices = new JobSlices();
  let isClosing = false;
  /** As the store has it; undefined: not read yet. */
  let lastRetentionAt: number | null | undefined;

  async function boundsOf(tenantNo: number): Promise<RetentionBounds> {
    const planDays = await options.keptDaysOf(db, tenantNo, clock.now());
    return { defaultDays: options.defaultRetentionDays, planDays };
  }

  async function load(tenantId: string, jobId: string): Promise<OperationJobTable> {
    const row = await readOperationJob(db, await tenantNoOf(tenantId), jobId);
    if (row === null) throw new AppError('not_found', `There is no job ${jobId}.`);
    return row;
  }

  function newJob(tenantNo: number, kind: string, input: DeletionInput): OperationJobTable {
    const now = clock.now();
    return {
      tenant_no: tenantNo,
      job_id: newId('job', clock, random),
      kind,
      status: 'queued',
      input: JSON.stringify(input),
      position: '',
      looked_at: 0,
      done: 0,
      failure: null,
      lease_token: null,
      leased_until: 0,
      lease_owner: null,
      created_at: now,
      started_at: null,
      finished_at: null,
      updated_at: now,
    };
  }

  async function lease(): Promise<OperationJobTable | null> {
    const now = clock.now();
    const owner = await options.leases.owner();
    const lease = { token: newId('run', clock, random), owner, now, until: now + LEASE_MS };
    return inTransaction(db, (transaction) => slices.lease(transaction, 'operation_jobs', lease));
  }

  async function isAnotherTenantWaiting(tenantNo: number): Promise<boolean> {
    const tenants = await tenantsWithOpenJobs(db, 'operation_jobs', clock.now());
    return tenants.some((other) => other !== tenantNo);
  }

  async function work(job: OperationJobTable): Promise<void> {
    const slice = new Slice(() => isAnotherTenantWaiting(job.tenant_no));
    try {
      let state: OperationJobTable | null = job;
      while (state !== null && state.status === 'processing' && !isClosing && !(await slice.isOver())) {
        state = await deleteBatch(state);
        await new Promise(setImmediate);
      }
      if (state?.status === 'processing') await updateLeased(db, 'operation_jobs', keyOf(job), { leased_until: 0 });
      else await options.truncateLog();
    } catch (error) {
      if (!isTransient(error))
        options.onProblem(job.job_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
      await updateLeased(db, 'operation_jobs', keyOf(job), { leased_until: clock.now() + RETRY_MS }).catch(() => false);
    }
  }

  /** @returns the job as it is then; null where it was cancelled or is somebody else's by now */
  function deleteBatch(job: OperationJobTable): Promise<OperationJobTable | null> {
    return inTransaction(db, async (transaction) => {
      const now = clock.now();
      const range = { after: job.position, limit: BATCH };
      const filter = JSON.parse(job.input) as DeletionInput;
      const traceIds = await listTraceIds(transaction, job.tenant_no, filter, range);
      const isOver = traceIds.length < BATCH;
      const values = {
        position: traceIds.at(-1) ?? job.position,
        looked_at: job.looked_at + traceIds.length,
        done: job.done + traceIds.length,
        leased_until: isOver ? 0 : now + LEASE_MS,
        status: isOver ? 'completed' : 'processing',
        finished_at: isOver ? now : null,
        updated_at: now,
      };
      if (!(await updateLeased(transaction, 'operation_jobs', keyOf(job), values))) return null;
      await forgetTraces(transaction, job.tenant_no, traceIds);
      return { ...job, ...values };
    });
  }

  async function scheduleFor(tenantNo: number): Promise<boolean> {
    const { days } = await readRetention(db, tenantNo, await boundsOf(tenantNo));
    if (days === null || (await hasOpenJob(db, tenantNo, RETENTION))) return false;
    const receivedBefore = clock.now() - days * DAY_MS;
    await insertOperationJob(db, newJob(tenantNo, RETENTION, { ...EVERYTHING, receivedBefore }));
    return true;
  }

  async function scheduleRetention(): Promise<number> {
    let count = 0;
    for await (const tenantNo of eachTenantNo(db)) if (await scheduleFor(tenantNo)) count += 1;
    return count;
  }

  return {
    async deleteTrace(tenantId, traceId) {
      const tenantNo = await tenantNoOf(tenantId);
      const id = canonicalTraceId(traceId);
      await inTransaction(db, async (transaction) => {
        if ((await readTrace(transaction, tenantNo, id)) === null)
          throw new AppError('not_found', `There is no trace ${traceId}.`);
        await forgetTrace(transaction, tenantNo, id);
      });
      await options.truncateLog();
    },
    async deleteMatching(tenantId, filter) {
      const row = newJob(await tenantNoOf(tenantId), 'delete_traces', filter);
      await inTransaction(db, (transaction) => insertOperationJob(transaction, row));
      return toOperationJobRecord(row);
    },
    async jobs(tenantId, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listOperationJobs(db, tenantNo, toRange(page));
      return toPage(rows, await countOperationJobs(db, tenantNo), page, {
        toItem: toOperationJobRecord,
        positionOf: (row) => ({ at: row.created_at, id: row.job_id }),
      });
    },
    job: async (tenantId, jobId) => toOperationJobRecord(await load(tenantId, jobId)),
    async removeJob(tenantId, jobId) {
      const { tenant_no: tenantNo } = await load(tenantId, jobId);
      await inTransaction(db, async (transaction) => {
        if (await cancelJob(transaction, 'operation_jobs', { tenantNo, id: jobId }, clock.now())) return;
        await deleteOperationJob(transaction, tenantNo, jobId);
      });
    },
    async retention(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      return toRetentionRecord(await readRetention(db, tenantNo, await boundsOf(tenantNo)));
    },
    async setRetention(tenantId, days) {
      const tenantNo = await tenantNoOf(tenantId);
      const bounds = await boundsOf(tenantNo);
      if (days !== 'default') assertWithinPlan(days, bounds.planDays);
      await inTransaction(db, (transaction) => writeRetention(transaction, tenantNo, days, clock.now()));
      return toRetentionRecord(await readRetention(db, tenantNo, bounds));
    },
    scheduleRetention,
    async scheduleRetentionWhenDue() {
      lastRetentionAt ??= Number((await readInstanceValue(db, LAST_RETENTION)) ?? 0) || null;
      const now = clock.now();
      if (!options.isClockSteady() || !isRetentionDue(lastRetentionAt, now)) return null;
      const count = await scheduleRetention();
      await pruneHistory(db, now);
      await writeInstanceValue(db, LAST_RETENTION, String(now));
      lastRetentionAt = now;
      return count;
    },
    async runDue(limit) {
      for (let done = 0; done < limit; done += 1) {
        const job = isClosing ? null : await lease();
        if (job === null) return done;
        await slices.during(job.tenant_no, clock.now, () => work(job));
      }
      return limit;
    },
    nextDueAt: () => nextJobDue(db, 'operation_jobs'),
    close() {
      isClosing = true;
    },
  };
}

export const EVERYTHING: DeletionInput = {
  agentId: null,
  status: null,
  framework: null,
  from: null,
  to: null,
  receivedBefore: null,
};

function keyOf({ tenant_no, job_id, lease_token }: OperationJobTable) {
  return { tenantNo: tenant_no, id: job_id, token: lease_token };
}
