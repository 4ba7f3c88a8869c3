import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { OperationJobTable } from '../../store/background.schema.ts';
import { deleteTraces } from '../../store/delete-trace.ts';
import { nextJobDue, tenantsWithOpenJobs, updateLeased } from '../../store/job-lease.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { listTraceIds } from '../../store/trace-list.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { JobSlices, Slice } from '../_kit/job-slices.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import type { DeletionInput } from './operation-job.record.ts';

const LEASE_MS = 10_000;
/** Small, so that other writers are not delayed. */
const BATCH = 50;
const RETRY_MS = 5_000;

/** Works on deletion jobs, a batch for each transaction; tenants take turns. */
export class DeletionWorker {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #leases: Pick<LeaseManager, 'owner'>;
  readonly #truncateLog: () => Promise<unknown>;
  readonly #onProblem: (subject: string, problem: string) => void;
  readonly #slices = new JobSlices();
  #isClosing = false;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    leases: Pick<LeaseManager, 'owner'>;
    truncateLog(): Promise<unknown>;
    onProblem(subject: string, problem: string): void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#leases = options.leases;
    this.#truncateLog = options.truncateLog;
    this.#onProblem = options.onProblem;
  }

  /** Runs jobs that no other process runs. @returns how many */
  async runDue(limit: number): Promise<number> {
    for (let done = 0; done < limit; done += 1) {
      const job = this.#isClosing ? null : await this.#lease();
      if (job === null) return done;
      await this.#slices.during(job.tenant_no, this.#clock.now, () => this.#work(job));
    }
    return limit;
  }

  nextDueAt(): Promise<number | null> {
    return nextJobDue(this.#db, 'operation_jobs');
  }

  /** Stops the current job after its batch; a later run continues from there. */
  close(): void {
    this.#isClosing = true;
  }

  async #lease(): Promise<OperationJobTable | null> {
    const now = this.#clock.now();
    const owner = await this.#leases.owner();
    const lease = { token: newId('run', this.#clock, this.#random), owner, now, until: now + LEASE_MS };
    return inTransaction(this.#db, (transaction) => this.#slices.lease(transaction, 'operation_jobs', lease));
  }

  async #isAnotherTenantWaiting(tenantNo: number): Promise<boolean> {
    const tenants = await tenantsWithOpenJobs(this.#db, 'operation_jobs', this.#clock.now());
    return tenants.some((other) => other !== tenantNo);
  }

  async #work(job: OperationJobTable): Promise<void> {
    const slice = new Slice(() => this.#isAnotherTenantWaiting(job.tenant_no));
    try {
      let state: OperationJobTable | null = job;
      while (state !== null && state.status === 'processing' && !this.#isClosing && !(await slice.isTimeUp())) {
        state = await this.#deleteBatch(state);
        await new Promise(setImmediate);
      }
      if (state?.status === 'processing')
        await updateLeased(this.#db, 'operation_jobs', keyOf(job), { leased_until: 0 });
      else await this.#truncateLog();
    } catch (error) {
      if (!isTransient(error))
        this.#onProblem(job.job_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
      await updateLeased(this.#db, 'operation_jobs', keyOf(job), { leased_until: this.#clock.now() + RETRY_MS }).catch(
        () => false,
      );
    }
  }

  /** @returns the job as it is then; null if it was cancelled or another process has taken it over */
  #deleteBatch(job: OperationJobTable): Promise<OperationJobTable | null> {
    return inTransaction(this.#db, async (transaction) => {
      const now = this.#clock.now();
      const range = { after: job.position, limit: BATCH };
      const filter = JSON.parse(job.input) as DeletionInput;
      const traceIds = await listTraceIds(transaction, job.tenant_no, filter, range);
      const isTimeUp = traceIds.length < BATCH;
      const values = {
        position: traceIds.at(-1) ?? job.position,
        looked_at: job.looked_at + traceIds.length,
        done: job.done + traceIds.length,
        leased_until: isTimeUp ? 0 : now + LEASE_MS,
        status: isTimeUp ? 'completed' : 'processing',
        finished_at: isTimeUp ? now : null,
        updated_at: now,
      };
      if (!(await updateLeased(transaction, 'operation_jobs', keyOf(job), values))) return null;
      await deleteTraces(transaction, job.tenant_no, traceIds);
      return { ...job, ...values };
    });
  }
}

function keyOf({ tenant_no, job_id, lease_token }: OperationJobTable) {
  return { tenantNo: tenant_no, id: job_id, token: lease_token };
}
