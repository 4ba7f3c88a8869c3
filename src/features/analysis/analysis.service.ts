import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { WorkerUnavailableError } from '../../core/worker-unavailable-error.ts';
import type { KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import { countFailedAnalyses } from '../../store/failed-analysis.store.ts';
import { countJobs, finishJobs, type LeasedJob, makeDue } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { DetectionSaver } from '../detections/save-detections.ts';
import { SETTLE_JOB } from '../ingest/ingest.service.ts';
import type { JudgeCache } from '../judge/judge-cache.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import { type ClockTrust, scheduleAbandoned } from './abandoned-trace.ts';
import { AnalysisQueue } from './analysis-queue.ts';
import type { AnalysisExecutor, ExecutorState } from './executor.ts';
import { overrunMessage } from './overrun-message.ts';
import { ResultSaver, type ResultSaverOptions } from './result-saver.ts';
import { retryTraces } from './retry-traces.ts';
import type { FinishedAnalysis } from './save-analyses.ts';
import type { TenantDetection } from './tenant-detection.ts';
import { type AnalyzeTraceOptions, TraceAnalyzer } from './trace-analyzer.ts';

export interface AnalysisService {
  /**
   * Analyzes one trace now and saves the detections. Alerts are sent as usual, for live spans that were not analyzed
   * yet, or on request; none are sent if `isQuiet`. @throws AppError `not_found`
   */
  analyzeTrace(
    tenantId: string,
    traceId: string,
    options?: { isAlertRequested?: boolean; isQuiet?: boolean },
  ): Promise<void>;
  /** Analyzes up to `limit` settled traces and waits for all of them. @returns how many, 0 if none is due */
  runDue(limit: number): Promise<number>;
  /** Runs continuously: starts due analyses, and returns when some have finished. @returns 0 if none is due */
  feed(): Promise<number>;
  /** Analyzes all queued traces of a tenant, settled or not, for one-shot commands. */
  runAllNow(tenantId: string): Promise<void>;
  /**
   * Analyzes stored traces again in the background, at lower priority than live ones.
   * @param traceIds null: all whose analysis failed permanently
   */
  reanalyze(tenantId: string, traceIds: readonly string[] | null): Promise<{ scheduled: number; not_found: string[] }>;
  /**
   * Schedules traces that still run 24 hours after their last event: they are analyzed as ended. A later event makes them run
   * again. Does nothing while the clock is not trusted.
   */
  scheduleAbandoned(): Promise<void>;
  /** Unix milliseconds when the next trace is due; null if none is queued. */
  nextDueAt(): Promise<number | null>;
  /** The open questions to a model about a stored trace; empty if there is no such trace. */
  openQuestions(tenantNo: number, traceId: string): Promise<KeyedQuestion[]>;
  /** Analyzes a stored trace again with the answers known so far. */
  applyAnswers(tenantNo: number, traceId: string): Promise<void>;
  /** Traces that wait to settle or to be analyzed. */
  waiting(): Promise<number>;
  /** Traces of all tenants whose analysis failed permanently. */
  givenUp(): Promise<number>;
  /** Whether analyses can run on this machine. */
  readonly executorState: ExecutorState;
  /** Starts no more work; a failure from now on is retried by the next process. */
  close(): void;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export interface AnalysisOptions {
  db: Kysely<Database>;
  clock: Clock;
  executor: AnalysisExecutor;
  leases: Pick<LeaseManager, 'owner'>;
  saveDetections: DetectionSaver;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  judge: Pick<JudgeCache, 'isEnabledFor' | 'canAsk' | 'known'>;
  clockWatch: ClockTrust;
  /** Called when traces became due. */
  onScheduled(): void;
  onSaved?: ResultSaverOptions['onSaved'];
  /** A session without an end event has ended after this idle time. */
  idleMs?: number;
  onProblem(traceId: string, problem: string): void;
}

const BATCH = 50;
const RETRY_AFTER_SECONDS = 5;

export function createAnalysisService(options: AnalysisOptions): AnalysisService {
  const { db, clock, executor, onProblem } = options;
  const analyzer = new TraceAnalyzer(options);
  const saver = new ResultSaver(options);
  const queue = new AnalysisQueue({ ...options, analyze: runJob });

  /** @returns whether there is such a trace */
  async function analyze(
    { tenantNo, traceId, job = null }: { tenantNo: number; traceId: string; job?: LeasedJob | null },
    options: AnalyzeTraceOptions,
  ): Promise<boolean> {
    const finished = await analyzer.analyze(tenantNo, traceId, options);
    if (finished === null) return false;
    report(finished);
    await saver.save(tenantNo, finished, job);
    return true;
  }

  function report({ traceId, outcome }: FinishedAnalysis): void {
    for (const { type, message } of outcome.crashed) onProblem(traceId, `detector ${type} failed: ${message}`);
    for (const overrun of outcome.overran) onProblem(traceId, `detector ${overrun.type}: ${overrunMessage(overrun)}`);
  }

  async function runJob(job: LeasedJob): Promise<void> {
    const { tenantNo, key: traceId, isHistory = false } = job;
    const isStored = await analyze({ tenantNo, traceId, job }, { isHistory });
    if (!isStored) await finishJobs(db, [job]);
  }

  return {
    async analyzeTrace(tenantId, traceId, { isAlertRequested, isQuiet } = {}) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const key = { tenantNo, traceId: canonicalTraceId(traceId) };
      const isStored = await analyze(key, { isHistory: true, isAlertRequested, isQuiet }).catch(throwWithoutWorkers);
      if (!isStored) throw new AppError('not_found', `There is no trace ${traceId}.`);
    },
    async reanalyze(tenantId, traceIds) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const named = traceIds?.map(canonicalTraceId) ?? null;
      const known = await inTransaction(db, (transaction) => retryTraces(transaction, tenantNo, named, clock.now()));
      options.onScheduled();
      return { scheduled: known.size, not_found: (named ?? []).filter((traceId) => !known.has(traceId)) };
    },
    async scheduleAbandoned() {
      const { clockWatch } = options;
      const count = await inTransaction(db, (transaction) => scheduleAbandoned(transaction, clock.now(), clockWatch));
      if (count > 0) options.onScheduled();
    },
    runDue: (limit) => queue.runBatch(limit, null),
    feed: () => queue.feed(),
    openQuestions: (tenantNo, traceId) => analyzer.openQuestions(tenantNo, traceId),
    async applyAnswers(tenantNo, traceId) {
      await analyze({ tenantNo, traceId }, { isHistory: true, isJudgeAllowed: false });
    },
    async runAllNow(tenantId) {
      const tenantNo = await options.tenantNoOf(tenantId);
      await makeDue(db, SETTLE_JOB, tenantNo, clock.now());
      // Between turns of the event loop signals are handled, and native memory of the database is released.
      while ((await queue.runBatch(BATCH, tenantNo)) > 0) await new Promise(setImmediate);
    },
    nextDueAt: () => queue.nextDueAt(),
    waiting: () => countJobs(db, SETTLE_JOB),
    givenUp: () => countFailedAnalyses(db),
    get executorState() {
      return executor.state;
    },
    close: () => queue.close(),
    idle: () => queue.idle(),
  };
}

function throwWithoutWorkers(error: unknown): never {
  if (!(error instanceof WorkerUnavailableError)) throw error;
  const message = 'No worker can start to analyze the trace.';
  throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
}
