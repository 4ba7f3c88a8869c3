import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import { effectiveThresholds } from '../../core/thresholds.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { countTraces, listTraces } from '../../store/trace.store.ts';
import type { AnalysisExecutor } from '../analysis/executor.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { type ThresholdRecord, toThresholdRecord } from './threshold-fields.ts';

export interface ProposedDetection {
  /** Only traces of it are looked at; null looks at all. */
  framework: string | null;
  current: TenantDetection;
  proposed: TenantDetection;
}

export interface FiringRecord {
  trace_id: string;
  detection_type: string;
  subtype: string;
  severity: string;
  confidence: number;
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
  sampled: { traces: number; of: number; from: string; to: string; is_complete: boolean };
  fires_more: FiringDifference;
  fires_less: FiringDifference;
}

export type ThresholdPreview = (tenantNo: number, change: ProposedDetection) => Promise<PreviewOfThresholds>;

const PERIOD_MS = 7 * 24 * 3_600_000;
/** Bounds of one preview: traces judged, spans of them together, and time. */
const MOST_TRACES = 100;
const MOST_SPANS = 20_000;
const LONGEST_MS = 8_000;
const AT_ONCE = 4;
const EXAMPLES = 20;

/** Judges stored traces of the last seven days, newest first, as the settings are and as they would be. */
export function createThresholdPreview(options: {
  db: Kysely<Database>;
  clock: Clock;
  executor: AnalysisExecutor;
}): ThresholdPreview {
  const { db, clock, executor } = options;

  return async (tenantNo, { framework, current, proposed }) => {
    const to = clock.now();
    const window = { agentId: null, status: null, framework, from: to - PERIOD_MS, to: null };
    const of = await countTraces(db, tenantNo, window);
    const rows = await listTraces(db, tenantNo, window, { after: null, offset: 0, limit: MOST_TRACES });
    const more: FiringRecord[] = [];
    const less: FiringRecord[] = [];
    let judged = 0;
    for (const batch of batches(rows)) {
      if (clock.now() - to > LONGEST_MS) break;
      const pairs = await Promise.all(batch.map(async (row) => ({ row, pair: await judgeTwice(tenantNo, row) })));
      for (const { row, pair } of pairs) {
        const [before, after] = pair;
        more.push(...onlyIn(after, before).map((detection) => toRecord(row.trace_id, detection)));
        less.push(...onlyIn(before, after).map((detection) => toRecord(row.trace_id, detection)));
      }
      judged += batch.length;
    }
    return {
      framework,
      current: toThresholdRecord(effectiveThresholds(current.thresholds, framework)),
      thresholds: toThresholdRecord(effectiveThresholds(proposed.thresholds, framework)),
      sampled: {
        traces: judged,
        of,
        from: new Date(window.from).toISOString(),
        to: new Date(to).toISOString(),
        is_complete: judged === of,
      },
      fires_more: toDifference(more),
      fires_less: toDifference(less),
    };

    async function judgeTwice(tenant: number, row: TraceTable): Promise<[Detection[], Detection[]]> {
      const chunks = await readChunks(db, tenant, row.trace_id);
      const input = { traceId: row.trace_id, chunks, isSettled: row.root_ended === 1 };
      const before = await executor.run({ ...input, tenant: current });
      const after = await executor.run({ ...input, tenant: proposed });
      return [before.detections, after.detections];
    }
  };
}

/** Small groups of the newest traces, up to the bound of spans; the first trace is looked at however long it is. */
function batches(rows: readonly TraceTable[]): TraceTable[][] {
  let spans = 0;
  const chosen = rows.filter((row, at) => {
    spans += row.span_count;
    return at === 0 || spans <= MOST_SPANS;
  });
  return Array.from({ length: Math.ceil(chosen.length / AT_ONCE) }, (_, n) =>
    chosen.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
}

/** What fires in the one list and not in the other; an observation fires in neither. */
function onlyIn(some: readonly Detection[], others: readonly Detection[]): Detection[] {
  const known = new Set(others.filter(fires).map(identityOf));
  return some.filter((detection) => fires(detection) && !known.has(identityOf(detection)));
}

function fires({ severity }: Detection): boolean {
  return severity !== 'observation';
}

function identityOf({ type, subtype, spanIds }: Detection): string {
  return `${type} ${subtype} ${spanIds[0] ?? ''}`;
}

function toRecord(traceId: string, { type, subtype, severity, confidence }: Detection): FiringRecord {
  return { trace_id: traceId, detection_type: type, subtype, severity, confidence };
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
