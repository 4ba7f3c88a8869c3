import { AppError } from '../../core/app-error.ts';
import type { Trace } from '../../core/trace.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { summarizeTrace } from '../../formats/trace-model/summarize.ts';
import type { TraceTable } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { readTraces } from '../../store/trace.store.ts';
import { type SummaryColumns, summaryColumns } from '../analysis/summary-columns.ts';
import { defineTask, type OffloadContext } from '../offload/task.ts';
import type { RunOptions, TaskRunner } from '../offload/task-runner.ts';
import { endingOf } from './trace-cache.ts';

/** Spans from which one list computes summaries: reading them takes a worker about a quarter of a second. */
const MAX_SPANS = 5_000;

type Pending = Pick<TraceTable, 'version' | 'analyzed_version' | 'is_bookkeeping' | 'given_up_at'>;

/** Whether spans arrived that no analysis has read, so that the stored summary is outdated. */
function isOutdated({ version, analyzed_version, is_bookkeeping, given_up_at }: Pending): boolean {
  return analyzed_version !== version && is_bookkeeping === 0 && given_up_at === null;
}

/** The row with the summary of the spans from which `trace` was built. */
export function withCurrentSummary(row: TraceTable, trace: Trace): TraceTable {
  return isOutdated(row) ? { ...row, ...summaryColumns(summarizeTrace(trace)) } : row;
}

/**
 * Current summaries of the rows whose stored one is outdated, by trace id. Rows without any analysis come first; of further
 * ones, and while no worker is free, the stored summary is shown.
 */
export async function currentSummaries(
  rows: readonly TraceTable[],
  { tasks, ...options }: RunOptions & { tasks: TaskRunner },
): Promise<ReadonlyMap<string, SummaryColumns>> {
  const traceIds = chooseOutdated(rows);
  if (traceIds.length === 0) return new Map();
  try {
    const input = { tenantNo: options.tenantNo, traceIds };
    return new Map(await (await tasks.start(currentSummariesTask, input, options)).value());
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'backpressure')) return new Map();
    throw error;
  }
}

function chooseOutdated(rows: readonly TraceTable[]): string[] {
  const outdated = rows.filter(isOutdated);
  const isNew = ({ analyzed_version }: TraceTable) => analyzed_version === null;
  let spans = 0;
  return [...outdated.filter(isNew), ...outdated.filter((row) => !isNew(row))]
    .filter(({ span_count }) => {
      if (spans + span_count > MAX_SPANS) return false;
      spans += span_count;
      return true;
    })
    .map(({ trace_id }) => trace_id);
}

type Summaries = [traceId: string, SummaryColumns][];

export const currentSummariesTask = defineTask<Summaries>()<{ tenantNo: number; traceIds: string[] }>({
  name: 'traces.summaries',
  kind: 'read',
  async *run(context, { tenantNo, traceIds }) {
    const rows = await readTraces(context.db, tenantNo, traceIds);
    const summaries: Summaries = [];
    for (const row of rows.values()) {
      const columns = await readSummary(context, row);
      if (columns !== null) summaries.push([row.trace_id, columns]);
    }
    yield JSON.stringify(summaries);
  },
});

/** @returns null if the stored spans cannot be read: reading the trace itself reports why */
async function readSummary({ db, models }: OffloadContext, row: TraceTable): Promise<SummaryColumns | null> {
  const { tenant_no: tenantNo, trace_id: traceId } = row;
  const chunks = await readChunks(db, tenantNo, traceId);
  try {
    const spans = mergeChunks(chunks, traceId);
    return summaryColumns(summarizeTrace(buildTrace(spans, { models, ...endingOf(row) })));
  } catch {
    return null;
  }
}
