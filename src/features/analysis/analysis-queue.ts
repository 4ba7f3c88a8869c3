import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { WorkerUnavailableError } from '../../core/worker-unavailable-error.ts';
import { markAnalysisFailed } from '../../store/failed-analysis.store.ts';
import { failJob, finishJobs, type LeasedJob, nextRunAt, renewJobs } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { inTransaction } from '../../store/transaction.ts';
import { leaseFairly } from '../_kit/fair-lease.ts';
import { SETTLE_JOB } from '../ingest/ingest.service.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import type { AnalysisExecutor } from './executor.ts';

export interface AnalysisQueueOptions {
  db: Kysely<Database>;
  clock: Clock;
  executor: Pick<AnalysisExecutor, 'state' | 'share'>;
  leases: Pick<LeaseManager, 'owner'>;
  /** Analyzes the trace, saves the result and finishes the job. */
  analyze(job: LeasedJob): Promise<void>;
  onProblem(traceId: string, problem: string): void;
}

const LEASE_MS = 120_000;
const RENEW_MS = 30_000;
const MAX_ATTEMPTS = 3;
/** Maximum attempts per trace, including those of processes that ended during the analysis. */
const MAX_LEASES = 6;
const RETRY_MS = 5_000;
const HOST_RETRY_MS = 1_000;
const MAX_RUNNING = 32;
/** Maximum running jobs of a tenant, and of history. */
const FEED_LIMITS: LeaseLimits = { perTenant: 8, history: 16, tenantNo: null };
/** Maximum delay before a due trace is noticed while others are running. */
const NOTICE_MS = 250;

interface LeaseLimits {
  perTenant: number;
  history: number;
  /** Only the work of this tenant. */
  tenantNo: number | null;
}

/** Feeds the executor with due traces: fair between tenants, live before history, without waiting for the slowest. */
export class AnalysisQueue {
  readonly #options: AnalysisQueueOptions;
  readonly #running = new Map<string, LeasedJob>();
  /** Jobs whose failure could not be written, e.g. because the disk was full. */
  #unsavedFailures: (() => Promise<void>)[] = [];
  #finished = Promise.withResolvers<void>();
  #renewedAt = 0;
  #turn = 0;
  #isClosing = false;

  constructor(options: AnalysisQueueOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Starts due traces and waits until some of them have finished. @returns 0 if nothing is due or running */
  async feed(): Promise<number> {
    await this.#saveFailures();
    if (this.#isClosing || !this.#options.executor.state.isAvailable)
      return this.#running.size === 0 ? 0 : this.#wait();
    await this.#renew();
    const leased = await this.#startDue(MAX_RUNNING - this.#running.size, FEED_LIMITS);
    if (this.#running.size === 0) return leased;
    return leased > 0 ? leased : this.#wait();
  }

  /** Analyzes up to `limit` due traces, of one tenant or of all, and waits until all have finished. @returns how many */
  async runBatch(limit: number, tenantNo: number | null): Promise<number> {
    const leased = await this.#startDue(limit, { perTenant: limit, history: limit, tenantNo });
    while (this.#running.size > 0) await this.#finished.promise;
    await this.#saveFailures();
    return leased;
  }

  /** Unix milliseconds; null if nothing is queued. */
  async nextDueAt(): Promise<number | null> {
    const { db, clock, executor } = this.#options;
    const next = await nextRunAt(db, SETTLE_JOB, clock.now());
    if (next === null) return null;
    return executor.state.isAvailable ? next : Math.max(next, clock.now() + HOST_RETRY_MS);
  }

  /** From now on a failure does not count as an attempt. */
  close(): void {
    this.#isClosing = true;
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await this.#finished.promise;
  }

  async #wait(): Promise<number> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, NOTICE_MS);
    await Promise.race([this.#finished.promise, timeout.promise]);
    clearTimeout(timer);
    return 1;
  }

  /** Leases due traces and starts their analysis. @returns how many were leased */
  async #startDue(freeSlots: number, limits: LeaseLimits): Promise<number> {
    if (freeSlots <= 0) return 0;
    const { db, clock, executor, leases } = this.#options;
    const running = [...this.#running.values()];
    this.#turn += 1;
    const leased = await leaseFairly(db, {
      kind: SETTLE_JOB,
      turn: this.#turn,
      now: clock.now(),
      leaseMs: LEASE_MS,
      limit: freeSlots,
      owner: await leases.owner(),
      share: executor.share,
      freeSlotsOf: (tenantNo) => freeSlotsOf(tenantNo, limits, running),
      historyLimit: Math.max(0, limits.history - running.filter((job) => job.isHistory).length),
    });
    for (const job of leased) {
      // A lease can expire early when the clock is set forward.
      if (this.#running.has(keyOf(job))) continue;
      if (job.attempts > MAX_LEASES)
        await this.#giveUp(job, `its analysis ended the process ${job.attempts - 1} times`);
      else this.#start(job);
    }
    return leased.length;
  }

  #start(job: LeasedJob): void {
    this.#running.set(keyOf(job), job);
    void this.#options
      .analyze(job)
      .catch((error) => this.#saveFailure(() => this.#fail(job, error)))
      .finally(() => {
        this.#running.delete(keyOf(job));
        this.#finished.resolve();
        this.#finished = Promise.withResolvers<void>();
      });
  }

  async #fail(job: LeasedJob, error: unknown): Promise<void> {
    const { db, clock, onProblem } = this.#options;
    const message = error instanceof Error ? error.message : String(error);
    const isOfHost = error instanceof WorkerUnavailableError;
    // A machine without resources, a database that is locked or full, and a server that stops are not the trace's fault.
    const isCounted = !(isOfHost || isTransient(error) || this.#isClosing);
    if (isCounted && job.attempts >= MAX_ATTEMPTS) return this.#giveUp(job, message);
    if (isCounted) onProblem(job.key, message);
    const pauseMs = this.#isClosing ? 0 : isOfHost ? HOST_RETRY_MS : RETRY_MS * job.attempts;
    await failJob(db, job, { error: message, retryAt: clock.now() + pauseMs, isCounted });
  }

  async #giveUp(job: LeasedJob, reason: string): Promise<void> {
    const { db, clock, onProblem } = this.#options;
    onProblem(job.key, `given up: ${reason}`);
    await inTransaction(db, async (transaction) => {
      await markAnalysisFailed(transaction, { tenantNo: job.tenantNo, traceId: job.key }, reason, clock.now());
      await finishJobs(transaction, [job]);
    });
  }

  async #saveFailure(write: () => Promise<void>): Promise<void> {
    await write().catch(() => void this.#unsavedFailures.push(write));
  }

  async #saveFailures(): Promise<void> {
    const writes = this.#unsavedFailures;
    this.#unsavedFailures = [];
    for (const write of writes) await this.#saveFailure(write);
  }

  async #renew(): Promise<void> {
    const { db, clock, leases } = this.#options;
    const elapsedMs = performance.now() - this.#renewedAt;
    if (this.#running.size === 0 || elapsedMs < RENEW_MS) return;
    this.#renewedAt = performance.now();
    await renewJobs(db, [...this.#running.values()], await leases.owner(), clock.now() + LEASE_MS);
  }
}

function keyOf({ tenantNo, key }: LeasedJob): string {
  return `${tenantNo} ${key}`;
}

function freeSlotsOf(tenantNo: number, limits: LeaseLimits, running: readonly LeasedJob[]): number {
  if (limits.tenantNo !== null && tenantNo !== limits.tenantNo) return 0;
  return limits.perTenant - running.filter((job) => job.tenantNo === tenantNo).length;
}
