import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { readTraces } from '../../store/trace.store.ts';
import { IDLE_MS } from '../ingest/commit-spans.ts';
import type { JudgeCache } from '../judge/judge-cache.ts';
import { type ClockTrust, isAbandoned } from './abandoned-trace.ts';
import type { AnalysisInput, AnalysisOutcome } from './analyze-chunks.ts';
import type { AnalysisExecutor, AnalysisPriority } from './executor.ts';
import type { FinishedAnalysis } from './save-analyses.ts';
import type { TenantDetection } from './tenant-detection.ts';

export interface TraceAnalyzerOptions {
  db: Kysely<Database>;
  clock: Clock;
  clockWatch: ClockTrust;
  /** A session without an end event has ended after this idle time. */
  idleMs?: number;
  executor: AnalysisExecutor;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  judge: Pick<JudgeCache, 'isEnabledFor' | 'canAsk' | 'known'>;
}

export interface AnalyzeTraceOptions {
  isHistory: boolean;
  /** Alerts about new detections although the trace is history or was analyzed before. */
  isAlertRequested?: boolean;
  /** Sends no alerts. */
  isQuiet?: boolean;
  /** Whether a model may be called afterwards; omitted: yes. */
  isJudgeAllowed?: boolean;
}

interface ReadTrace {
  input: AnalysisInput;
  version: number;
  idleAt: number | null;
}

/** When a session without an end event counts as ended, Unix milliseconds; null for every other trace. */
function idleTimeOf(row: TraceTable, idleMs: number): number | null {
  // The framework is unknown before its first analysis.
  const isOpen = (row.framework === 'openclaw' || row.analyzed_version === null) && row.root_ended === 0;
  // The order of arrival is in microseconds.
  return isOpen ? Math.ceil(row.version / 1_000) + idleMs : null;
}

/** Reads stored traces and runs the detectors; saves nothing. */
export class TraceAnalyzer {
  readonly #options: TraceAnalyzerOptions;

  constructor(options: TraceAnalyzerOptions) {
    this.#options = options;
  }

  /** @returns null if there is no such trace */
  async analyze(tenantNo: number, traceId: string, options: AnalyzeTraceOptions): Promise<FinishedAnalysis | null> {
    const { executor, judge } = this.#options;
    const { isHistory, isAlertRequested = false, isQuiet = false, isJudgeAllowed = true } = options;
    const read = await this.#read(tenantNo, traceId);
    if (read === null) return null;
    const { input, version, idleAt } = read;
    const priority = { tenantNo, isHistory };
    const isJudged = input.isSettled && (await judge.isEnabledFor(tenantNo));
    const outcome = isJudged ? await this.#runWithAnswers(input, priority) : await executor.run(input, priority);
    const { isSettled, isAbandoned = false } = input;
    return {
      traceId,
      version,
      isSettled,
      isAbandoned,
      idleAt,
      outcome,
      isHistory,
      isAlertRequested,
      isQuiet,
      awaitsAnswers: isJudgeAllowed && judge.canAsk,
    };
  }

  /** The open questions to a model about a stored trace; empty if there is no such trace. */
  async openQuestions(tenantNo: number, traceId: string): Promise<KeyedQuestion[]> {
    const read = await this.#read(tenantNo, traceId);
    // A later span of a running run may answer an open question.
    if (!read?.input.isSettled || !(await this.#options.judge.isEnabledFor(tenantNo))) return [];
    const priority = { tenantNo, isHistory: true };
    return (await this.#options.executor.run({ ...read.input, answers: {} }, priority)).questions;
  }

  async #read(tenantNo: number, traceId: string): Promise<ReadTrace | null> {
    const { db, clockWatch } = this.#options;
    const row = (await readTraces(db, tenantNo, [traceId])).get(traceId);
    if (row === undefined) return null;
    const chunks = (await readChunksOfTraces(db, tenantNo, [traceId])).get(traceId) ?? [];
    const tenant = await this.#options.detectionOf(tenantNo);
    const idleAt = idleTimeOf(row, this.#options.idleMs ?? IDLE_MS);
    const now = this.#options.clock.now();
    const isIdle = row.framework === 'openclaw' && idleAt !== null && now >= idleAt;
    const isAbandonedNow = isAbandoned(row, now, clockWatch);
    const isSettled = row.root_ended === 1 || isIdle || isAbandonedNow;
    const input = { traceId, chunks, isSettled, isAbandoned: isAbandonedNow, tenant };
    return { input, version: row.version, idleAt };
  }

  /** Runs once, and a second time with the answers if some questions were answered before. */
  async #runWithAnswers(input: AnalysisInput, priority: AnalysisPriority): Promise<AnalysisOutcome> {
    const { executor, judge } = this.#options;
    const outcome = await executor.run({ ...input, answers: {} }, priority);
    if (outcome.questions.length === 0) return outcome;
    const answers = await judge.known(priority.tenantNo, input.traceId, outcome.questions);
    return Object.keys(answers).length === 0 ? outcome : executor.run({ ...input, answers }, priority);
  }
}
