import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { AskedQuestion } from '../../detectors/_kit/second-opinion.ts';
import {
  countJobs,
  failJob,
  finishJobs,
  type Job,
  type LeasedJob,
  leaseJobs,
  makeDue,
  nextRunAt,
  scheduleJobs,
} from '../../store/job.store.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { readTraces } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { DetectionSaver } from '../detections/save-detections.ts';
import { SETTLE_JOB } from '../ingest/ingest.service.ts';
import type { AnnouncedDetection } from '../integrations/finding-events.ts';
import { JUDGE_JOB, type JudgeBook } from '../judge/judge-book.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import type { AnalysisInput, AnalysisOutcome } from './analyze-chunks.ts';
import type { AnalysisExecutor } from './executor.ts';
import { overrunWords } from './overrun-words.ts';
import { type FinishedAnalysis, saveAnalyses } from './save-analyses.ts';
import type { TenantDetection } from './tenant-detection.ts';

export interface AnalysisService {
  /**
   * Analyses one trace now and saves what is found. People are alerted where they would have been anyway, for spans that
   * came live and were not judged yet, or when asked to; nobody is where `isQuiet`. @throws AppError `not_found`
   */
  analyzeTrace(
    tenantId: string,
    traceId: string,
    options?: { isAlertAsked?: boolean; isQuiet?: boolean },
  ): Promise<void>;
  /** Analyses traces that have settled. @returns how many were taken, 0 when none is due */
  runDue(limit: number): Promise<number>;
  /** Analyses all that waits for a tenant, settled or not: what a one-shot command does. */
  runAllNow(tenantId: string): Promise<void>;
  /** Unix milliseconds when the next trace is due; null where none waits. */
  nextDueAt(): Promise<number | null>;
  /** What a model may be asked about a stored trace and has not answered yet; empty where there is no such trace. */
  openQuestions(tenantNo: number, traceId: string): Promise<AskedQuestion[]>;
  /** Analyses a stored trace again with the answers known by now. */
  applyAnswers(tenantNo: number, traceId: string): Promise<void>;
  /** Traces that wait to settle or to be analysed. */
  waiting(): Promise<number>;
}

export interface AnalysisOptions {
  db: Kysely<Database>;
  clock: Clock;
  executor: AnalysisExecutor;
  saveDetections: DetectionSaver;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  judge: Pick<JudgeBook, 'isOpenFor' | 'canAsk' | 'known'>;
  /** Called after the commit with what is new. */
  onDetections?(tenantNo: number, announced: readonly AnnouncedDetection[]): void;
  onProblem(traceId: string, problem: string): void;
}

const LEASE_MS = 120_000;
const MAX_ATTEMPTS = 3;
/** Times that a trace is taken, also by processes that died over it. */
const MAX_LEASES = 6;
const RETRY_MS = 5_000;
const BATCH = 50;

interface Failure {
  traceId: string;
  error: unknown;
}

export function createAnalysisService(options: AnalysisOptions): AnalysisService {
  const { db, clock, executor, judge } = options;

  /** Analyses traces of one tenant and saves them in one transaction; a trace that fails costs only itself. */
  async function analyze(
    tenantNo: number,
    traceIds: readonly string[],
    {
      asks = true,
      isAlertAsked = false,
      isQuiet = false,
    }: { asks?: boolean; isAlertAsked?: boolean; isQuiet?: boolean } = {},
  ): Promise<{ found: number; failures: Failure[] }> {
    const rows = await readTraces(db, tenantNo, traceIds);
    const chunks = await readChunksOfTraces(db, tenantNo, traceIds);
    const tenant = await options.detectionOf(tenantNo);
    const isJudged = await judge.isOpenFor(tenantNo);
    const awaitsAnswers = asks && judge.canAsk;
    const failures: Failure[] = [];
    const finished: FinishedAnalysis[] = [];

    async function run(row: TraceTable): Promise<void> {
      const traceId = row.trace_id;
      const input = { traceId, chunks: chunks.get(traceId) ?? [], isSettled: row.root_ended === 1, tenant };
      try {
        const outcome = isJudged && input.isSettled ? await runWithAnswers(tenantNo, input) : await executor.run(input);
        finished.push({ traceId, version: row.version, outcome, isAlertAsked, isQuiet, awaitsAnswers });
      } catch (error) {
        failures.push({ traceId, error });
      }
    }

    await Promise.all([...rows.values()].map(run));
    for (const { traceId, outcome } of finished) {
      for (const { type, message } of outcome.crashed)
        options.onProblem(traceId, `detector ${type} failed: ${message}`);
      for (const overrun of outcome.overran)
        options.onProblem(traceId, `detector ${overrun.type}: ${overrunWords(overrun)}`);
    }
    if (finished.length > 0) {
      const announced = await inTransaction(db, async (transaction) => {
        const saved = await saveAnalyses(transaction, tenantNo, finished, options.saveDetections, clock.now());
        if (awaitsAnswers) await scheduleJobs(transaction, judgeJobs(tenantNo, finished));
        return saved;
      });
      options.onDetections?.(tenantNo, announced);
    }
    return { found: rows.size, failures };
  }

  /** Once, and where questions came up that were answered before, once more with the answers. */
  async function runWithAnswers(tenantNo: number, input: AnalysisInput): Promise<AnalysisOutcome> {
    const outcome = await executor.run({ ...input, answers: {} });
    if (outcome.questions.length === 0) return outcome;
    const answers = await judge.known(tenantNo, input.traceId, outcome.questions);
    return Object.keys(answers).length === 0 ? outcome : executor.run({ ...input, answers });
  }

  function judgeJobs(tenantNo: number, finished: readonly FinishedAnalysis[]): Job[] {
    return finished
      .filter(({ outcome }) => outcome.questions.length > 0)
      .map(({ traceId }) => ({ tenantNo, kind: JUDGE_JOB, key: traceId, runAt: clock.now() }));
  }

  async function openQuestions(tenantNo: number, traceId: string): Promise<AskedQuestion[]> {
    const row = (await readTraces(db, tenantNo, [traceId])).get(traceId);
    // Of a run that goes on, a later span may answer what is open now.
    if (row?.root_ended !== 1 || !(await judge.isOpenFor(tenantNo))) return [];
    const chunks = (await readChunksOfTraces(db, tenantNo, [traceId])).get(traceId) ?? [];
    const tenant = await options.detectionOf(tenantNo);
    return (await executor.run({ traceId, chunks, isSettled: true, tenant, answers: {} })).questions;
  }

  async function runJobs(tenantNo: number, jobs: readonly LeasedJob[]): Promise<void> {
    const traceIds = jobs.map((job) => job.key);
    let failures: Failure[];
    try {
      failures = (await analyze(tenantNo, traceIds)).failures;
    } catch (error) {
      // Nothing of the batch was saved: one by one, what cannot be saved costs only itself.
      if (jobs.length > 1) {
        for (const job of jobs) await runJobs(tenantNo, [job]);
        return;
      }
      failures = traceIds.map((traceId) => ({ traceId, error }));
    }
    const errorOf = new Map(failures.map((failure) => [failure.traceId, failure.error]));
    for (const [traceId, error] of errorOf) options.onProblem(traceId, messageOf(error));
    // A database that is locked or full says nothing about the trace.
    const isCounted = (job: LeasedJob) => !isTransient(errorOf.get(job.key));
    const retried = jobs.filter((job) => errorOf.has(job.key) && (job.attempts < MAX_ATTEMPTS || !isCounted(job)));
    for (const job of retried) {
      const retryAt = clock.now() + RETRY_MS * job.attempts;
      await failJob(db, job, { error: messageOf(errorOf.get(job.key)), retryAt, isCounted: isCounted(job) });
    }
    const isRetried = new Set(retried);
    await finishJobs(
      db,
      jobs.filter((job) => !isRetried.has(job)),
    );
  }

  /** A trace that was taken again and again and never came back has ended its process each time. */
  async function giveUp(jobs: readonly LeasedJob[]): Promise<void> {
    for (const job of jobs)
      options.onProblem(job.key, `given up: its analysis ended ${job.attempts - 1} times without a word`);
    await finishJobs(db, jobs);
  }

  async function runDue(limit: number): Promise<number> {
    const leased = await leaseJobs(db, SETTLE_JOB, clock.now(), LEASE_MS, limit);
    const jobs = leased.filter((job) => job.attempts <= MAX_LEASES);
    await giveUp(leased.filter((job) => job.attempts > MAX_LEASES));
    for (const [tenantNo, group] of Map.groupBy(jobs, (job) => job.tenantNo)) await runJobs(tenantNo, group);
    return leased.length;
  }

  return {
    async analyzeTrace(tenantId, traceId, { isAlertAsked, isQuiet } = {}) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const { found, failures } = await analyze(tenantNo, [canonicalTraceId(traceId)], {
        isAlertAsked,
        isQuiet,
      });
      if (found === 0) throw new AppError('not_found', `There is no trace ${traceId}.`);
      if (failures[0]) throw failures[0].error;
    },
    runDue,
    openQuestions,
    async applyAnswers(tenantNo, traceId) {
      const { failures } = await analyze(tenantNo, [traceId], { asks: false });
      if (failures[0]) throw failures[0].error;
    },
    async runAllNow(tenantId) {
      await makeDue(db, SETTLE_JOB, await options.tenantNoOf(tenantId), clock.now());
      // Between turns of the event loop signals are heard, and what the native part of the database holds is let go.
      while ((await runDue(BATCH)) > 0) await new Promise(setImmediate);
    },
    nextDueAt: () => nextRunAt(db, SETTLE_JOB, clock.now()),
    waiting: () => countJobs(db, SETTLE_JOB),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
