import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { effectiveThresholds } from '../../core/thresholds.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { countTraces, listTraces } from '../../store/trace-list.store.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { TooHeavyError } from '../offload/task.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { type ThresholdRecord, toThresholdRecord } from './threshold-fields.ts';
import type { FiringRecord } from './threshold-preview.tasks.ts';
import { type FiringChange, judgeTwiceTask } from './threshold-preview.tasks.ts';

export interface ProposedDetection {
  /** Only traces of this framework; null for all. */
  framework: string | null;
  current: TenantDetection;
  proposed: TenantDetection;
}

export interface FiringDifference {
  total: number;
  by_detector: { detector: string; count: number }[];
  examples: FiringRecord[];
}

export interface PreviewOfThresholds {
  framework: string | null;
  current: ThresholdRecord;
  thresholds: ThresholdRecord;
  sampled: { traces: number; skipped: number; of: number; from: string; to: string; is_complete: boolean };
  fires_more: FiringDifference;
  fires_less: FiringDifference;
}

export type ThresholdPreview = (tenantNo: number, change: ProposedDetection) => Promise<PreviewOfThresholds>;

const PERIOD_MS = 7 * 24 * 3_600_000;
/** Limits of one preview: traces, spans in total, and time. */
const MAX_TRACES = 100;
const MAX_SPANS = 20_000;
const MAX_MS = 8_000;
const EXAMPLES = 20;

/**
 * Analyzes stored traces of the last seven days, newest first, with the current and with the changed settings. A trace
 * that alone exceeds the limit of spans or time is skipped.
 */
export function createThresholdPreview(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
}): ThresholdPreview {
  const { db, clock, tasks } = options;

  return async (tenantNo, { framework, current, proposed }) => {
    const to = clock.now();
    const window = { agentId: null, status: null, framework, from: to - PERIOD_MS, to: null };
    const of = await countTraces(db, tenantNo, window);
    const rows = await listTraces(db, tenantNo, window, { after: null, offset: 0, limit: MAX_TRACES });
    const limit = AbortSignal.timeout(MAX_MS);
    const changes: FiringChange[] = [];
    let skipped = 0;
    let spans = 0;
    for (const row of rows) {
      // In a one-shot command nothing else ends the timer.
      await new Promise((resume) => setImmediate(resume));
      if (limit.aborted) break;
      const change = spans + row.span_count > MAX_SPANS ? null : await judge(row);
      if (change === null) skipped += 1;
      else {
        spans += row.span_count;
        changes.push(change);
      }
    }
    return {
      framework,
      current: toThresholdRecord(effectiveThresholds(current.thresholds, framework)),
      thresholds: toThresholdRecord(effectiveThresholds(proposed.thresholds, framework)),
      sampled: {
        traces: changes.length,
        skipped,
        of,
        from: new Date(window.from).toISOString(),
        to: new Date(to).toISOString(),
        is_complete: changes.length === of,
      },
      fires_more: toDifference(changes.flatMap(({ more }) => more)),
      fires_less: toDifference(changes.flatMap(({ less }) => less)),
    };

    /** Null if it takes too long. */
    async function judge({ trace_id: traceId, root_ended }: TraceTable): Promise<FiringChange | null> {
      const input = { tenantNo, traceId, isSettled: root_ended === 1, current, proposed };
      try {
        return await (await tasks.start(judgeTwiceTask, input, { tenantNo, signal: limit })).value();
      } catch (error) {
        if (limit.aborted || error instanceof TooHeavyError) return null;
        throw error;
      }
    }
  };
}

function toDifference(firings: readonly FiringRecord[]): FiringDifference {
  const byDetector = Map.groupBy(firings, ({ detection_type }) => detection_type);
  return {
    total: firings.length,
    by_detector: [...byDetector]
      .map(([detector, own]) => ({ detector, count: own.length }))
      .sort((one, other) => other.count - one.count || (one.detector < other.detector ? -1 : 1)),
    examples: firings.slice(0, EXAMPLES),
  };
}
