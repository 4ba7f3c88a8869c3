import type { DetectionType } from '../core/detection.ts';
import type { AnalysisInput, AnalysisOutcome } from '../features/analysis/analyze-chunks.ts';
import type { AnalysisExecutor, AnalysisPriority } from '../features/analysis/executor.ts';
import { RunningDetector } from './running-detector.ts';
import { WorkerCrashError, WorkerPool } from './worker-pool.ts';
import type { WorkerTasks } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface AnalysisPoolOptions {
  /** Worker threads; they start on first use. */
  size: number;
  entry: WorkerEntry;
  /** An analysis that takes longer is stopped with its worker, which is replaced; the detector that was running is then skipped. */
  timeoutMs: number;
}

/** A trace fails permanently after this many of its detectors have each ended a worker. */
const MAX_CRASHED_DETECTORS = 2;

/** Runs analyses on worker threads, so that a slow trace delays no request. */
export function createAnalysisPool({ size, entry, timeoutMs }: AnalysisPoolOptions): AnalysisExecutor {
  const pool = new WorkerPool<Pick<WorkerTasks, 'analyze'>>({
    name: 'analysis',
    size,
    entry,
    timeoutMs: { analyze: timeoutMs },
    createMemory: () => new RunningDetector().memory,
    // A detector that was interrupted may have left an array half-written.
    isSpent: (_kind, outcome) => outcome.overran.some(({ ms }) => ms !== null),
  });

  async function run(
    input: AnalysisInput,
    priority: AnalysisPriority | undefined,
    crashed: AnalysisOutcome['crashed'] = [],
  ): Promise<AnalysisOutcome> {
    const without = crashed.map(({ type }) => type);
    const taskInput = without.length === 0 ? input : { ...input, without };
    try {
      return withCrashes(
        withBuffers(
          await pool.run('analyze', taskInput, {
            owner: priority?.tenantNo,
            isHistory: priority?.isHistory,
            isFirst: without.length > 0,
          }),
        ),
        crashed,
      );
    } catch (error) {
      const crashedDetector = crashed.length < MAX_CRASHED_DETECTORS ? crashedDetectorOf(error) : null;
      if (crashedDetector === null) throw error;
      return run(input, priority, [...crashed, { type: crashedDetector, message: (error as Error).message }]);
    }
  }

  return {
    run: (input, priority) => run(input, priority),
    share: pool.share,
    get state() {
      return pool.state;
    },
    close: () => pool.close(),
  };
}

/** The detector that ended the worker; null if none did. */
function crashedDetectorOf(error: unknown): DetectionType | null {
  return error instanceof WorkerCrashError ? new RunningDetector(error.memory).read() : null;
}

function withCrashes(outcome: AnalysisOutcome, crashed: AnalysisOutcome['crashed']): AnalysisOutcome {
  return crashed.length === 0 ? outcome : { ...outcome, crashed: [...outcome.crashed, ...crashed] };
}

/** Buffers arrive from another thread as plain byte arrays. */
function withBuffers(outcome: AnalysisOutcome): AnalysisOutcome {
  const { compacted } = outcome;
  if (!compacted) return outcome;
  return {
    ...outcome,
    compacted: { ...compacted, data: Buffer.from(compacted.data), contentHash: Buffer.from(compacted.contentHash) },
  };
}
