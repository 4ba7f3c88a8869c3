import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { finishJobs, type Job, type LeasedJob, scheduleJobs, scheduleSoonest } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { DetectionSaver } from '../detections/save-detections.ts';
import { IDLE_MS, SETTLE_JOB } from '../ingest/commit-spans.ts';
import { JUDGE_JOB } from '../judge/judge-cache.ts';
import { type FinishedAnalysis, type SavedAnalyses, saveAnalyses } from './save-analyses.ts';

export interface ResultSaverOptions {
  db: Kysely<Database>;
  clock: Clock;
  saveDetections: DetectionSaver;
  /** Called after the commit. */
  onSaved?(tenantNo: number, saved: SavedAnalyses): void;
}

interface Pending {
  finished: FinishedAnalysis;
  /** Finished in the same transaction. */
  job: LeasedJob | null;
  resolve(): void;
  reject(error: unknown): void;
}

/** Small, so that concurrent writers are not delayed. */
const TRACES_PER_TRANSACTION = 20;

/** Saves analyses of one tenant at a time, in short transactions that include everything finished so far. */
export class ResultSaver {
  readonly #options: ResultSaverOptions;
  readonly #waiting = new Map<number, Pending[]>();
  #isSaving = false;

  constructor(options: ResultSaverOptions) {
    this.#options = options;
  }

  /** Resolves after the commit. */
  save(tenantNo: number, finished: FinishedAnalysis, job: LeasedJob | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const pending = { finished, job, resolve, reject };
      const waiting = this.#waiting.get(tenantNo);
      if (waiting) waiting.push(pending);
      else this.#waiting.set(tenantNo, [pending]);
      if (!this.#isSaving) void this.#saveAll();
    });
  }

  async #saveAll(): Promise<void> {
    this.#isSaving = true;
    // Results of the same turn of the event loop are saved in one transaction.
    await new Promise(setImmediate);
    for (let next = this.#nextBatch(); next !== null; next = this.#nextBatch()) await this.#saveBatch(...next);
    this.#isSaving = false;
  }

  /** The tenant that waits longest goes first; its remaining results are queued behind the others. */
  #nextBatch(): [tenantNo: number, batch: Pending[]] | null {
    for (const [tenantNo, waiting] of this.#waiting) {
      this.#waiting.delete(tenantNo);
      const batch = waiting.splice(0, TRACES_PER_TRANSACTION);
      if (waiting.length > 0) this.#waiting.set(tenantNo, waiting);
      return [tenantNo, batch];
    }
    return null;
  }

  async #saveBatch(tenantNo: number, batch: readonly Pending[]): Promise<void> {
    try {
      await this.#commit(tenantNo, batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // Nothing of the batch was saved: saved one by one, so that a failing result affects only itself.
      if (batch.length > 1) for (const pending of batch) await this.#saveBatch(tenantNo, [pending]);
      else batch[0]?.reject(error);
    }
  }

  async #commit(tenantNo: number, batch: readonly Pending[]): Promise<void> {
    const { db, clock, saveDetections, onSaved } = this.#options;
    const finished = batch.map((pending) => pending.finished);
    const saved = await inTransaction(db, async (transaction) => {
      const now = clock.now();
      const analyses = await saveAnalyses(transaction, tenantNo, finished, saveDetections, now);
      await scheduleJobs(transaction, judgeJobs(tenantNo, finished, now));
      await finishJobs(
        transaction,
        batch.flatMap(({ job }) => job ?? []),
      );
      await scheduleSoonest(transaction, idleJobs(tenantNo, finished));
      await scheduleJobs(transaction, growingJobs(tenantNo, analyses.growing, now));
      return analyses;
    });
    onSaved?.(tenantNo, saved);
  }
}

/** A session without an end event is analyzed once more when it is idle. */
function idleJobs(tenantNo: number, finished: readonly FinishedAnalysis[]): Job[] {
  return finished.flatMap(({ traceId, isSettled, outcome, idleAt, isHistory }) => {
    if (isSettled || idleAt === null || outcome.summary.framework !== 'openclaw') return [];
    return [{ tenantNo, kind: SETTLE_JOB, key: traceId, runAt: idleAt, isHistory }];
  });
}

/** Spans that arrived during the analysis are analyzed 30 s later, or sooner if more arrive. */
function growingJobs(tenantNo: number, traceIds: readonly string[], now: number): Job[] {
  return traceIds.map((key) => ({ tenantNo, kind: SETTLE_JOB, key, runAt: now + IDLE_MS }));
}

function judgeJobs(tenantNo: number, finished: readonly FinishedAnalysis[], now: number): Job[] {
  return finished
    .filter(({ outcome, awaitsAnswers }) => awaitsAnswers && outcome.questions.length > 0)
    .map(({ traceId, isHistory }) => ({ tenantNo, kind: JUDGE_JOB, key: traceId, runAt: now, isHistory }));
}
