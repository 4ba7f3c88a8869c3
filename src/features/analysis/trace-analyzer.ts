import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { AskedQuestion } from '../../detectors/_kit/second-opinion.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { readTraces } from '../../store/trace.store.ts';
import { IDLE_MS } from '../ingest/commit-spans.ts';
import type { JudgeBook } from '../judge/judge-book.ts';
import { type ClockTrust, isAbandoned } from './abandoned-trace.ts';
import type { AnalysisInput, AnalysisOutcome } from './analyze-chunks.ts';
import type { AnalysisExecutor, AnalysisPlace } from './executor.ts';
import type { FinishedAnalysis } from './save-analyses.ts';
import type { TenantDetection } from './tenant-detection.ts';

export interface TraceAnalyzerOptions {
  db: Kysely<Database>;
  clock: Clock;
  clockWatch: ClockTrust;
  /** A session that sends no end has ended once nothing came for this long. */
  idleMs?: number;
  executor: AnalysisExecutor;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  judge: Pick<JudgeBook, 'isOpenFor' | 'canAsk' | 'known'>;
}

export interface AnalyzeTraceOptions {
  isHistory: boolean;
  /** Alerts about what is new although the trace is history or was judged before. */
  isAlertAsked?: boolean;
  /** Alerts nobody. */
  isQuiet?: boolean;
  /** Whether a model may be asked afterwards; left out: yes. */
  asks?: boolean;
}

interface ReadTrace {
  input: AnalysisInput;
  version: number;
  idleAt: number | null;
}

/** When a session that sent no end counts as ended, Unix milliseconds; null for every other trace. */
function idleTimeOf(row: TraceTable, idleMs: number): number | null {
  // Before its first analysis the framework is not known.
  const isOpen = (row.framework === 'openclaw' || row.analyzed_version === null) && row.root_ended === 0;
  // The order of arrival counts in microseconds.
  return isOpen ? Math.ceil(row.version / 1_000) + idleMs : null;
}

/** Reads stored traces and runs the detectors over them; saves nothing. */
export class TraceAnalyzer {
  readonly #options: TraceAnalyzerOptions;

  constructor(options: TraceAnalyzerOptions) {
    this.#options = options;
  }

  /** @returns null where there is no such trace */
  async analyze(tenantNo: number, traceId: string, options: AnalyzeTraceOptions): Promise<FinishedAnalysis | null> {
    const { executor, judge } = this.#options;
    const { isHistory, isAlertAsked = false, isQuiet = false, asks = true } = options;
    const read = await this.#read(tenantNo, traceId);
    if (read === null) return null;
    const { input, version, idleAt } = read;
    const place = { tenantNo, isHistory };
    const isJudged = input.isSettled && (await judge.isOpenFor(tenantNo));
    const outcome = isJudged ? await this.#runWithAnswers(input, place) : await executor.run(input, place);
    const { isSettled, isAbandoned = false } = input;
    return {
      traceId,
      version,
      isSettled,
      isAbandoned,
      idleAt,
      outcome,
      isHistory,
      isAlertAsked,
      isQuiet,
      awaitsAnswers: asks && judge.canAsk,
    };
  }

  /** What a model may be asked about a stored trace and has not answered yet; empty where there is no such trace. */
  async openQuestions(tenantNo: number, traceId: string): Promise<AskedQuestion[]> {
    const read = await this.#read(tenantNo, traceId);
    // Of a run that goes on, a later span may answer what is open now.
    if (!read?.input.isSettled || !(await this.#options.judge.isOpenFor(tenantNo))) return [];
    const place = { tenantNo, isHistory: true };
    return (await this.#options.executor.run({ ...read.input, answers: {} }, place)).questions;
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

  /** Once, and where questions came up that were answered before, once more with the answers. */
  async #runWithAnswers(input: AnalysisInput, place: AnalysisPlace): Promise<AnalysisOutcome> {
    const { executor, judge } = this.#options;
    const outcome = await executor.run({ ...input, answers: {} }, place);
    if (outcome.questions.length === 0) return outcome;
    const answers = await judge.known(place.tenantNo, input.traceId, outcome.questions);
    return Object.keys(answers).length === 0 ? outcome : executor.run({ ...input, answers }, place);
  }
}
