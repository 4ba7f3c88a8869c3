import type { Db } from '../../store/connection.ts';
import { readTraces } from '../../store/trace.store.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import { chunksOf, toBatches } from '../ingest/prepared-batch.ts';
import type { EndedRun } from './integration-source.ts';
import type { RunNotice } from './run-notice.ts';

interface RunFacts {
  isSummary: boolean;
  runs: RunNotice[];
  ended?: EndedRun[];
}

/** Drops the spans of a summary for runs that are already stored in full. */
export async function withoutCompleteRuns<Facts extends RunFacts>(
  db: Db,
  tenantNo: number,
  prepared: PreparedBody<Facts>,
): Promise<PreparedBody<Facts>> {
  if (!prepared.facts.isSummary) return prepared;
  const better = await tracesWithMoreSpans(db, tenantNo, prepared.facts.runs);
  return better.size === 0 ? prepared : withoutTraces(prepared, better);
}

/**
 * Traces with more spans than were sent. A trace without a known end lacks what a summary contains, and so may one that
 * telemetry reports: that has a service name, but no inputs and outputs.
 */
async function tracesWithMoreSpans(db: Db, tenantNo: number, runs: readonly RunNotice[]): Promise<Set<string>> {
  const traceIds = runs.map(({ traceId }) => traceId);
  const known = await readTraces(db, tenantNo, traceIds);
  const better = runs.filter(({ traceId, spanCount }) => {
    const trace = known.get(traceId);
    return trace?.root_ended === 1 && trace.service_name === null && trace.span_count > spanCount;
  });
  return new Set(better.map(({ traceId }) => traceId));
}

function withoutTraces<Facts extends RunFacts>(
  prepared: PreparedBody<Facts>,
  omitted: ReadonlySet<string>,
): PreparedBody<Facts> {
  const { facts } = prepared;
  const isKept = ({ traceId }: { traceId: string }) => !omitted.has(traceId);
  const chunks = prepared.batches.flatMap(chunksOf).filter(({ touch }) => isKept(touch));
  return {
    ...prepared,
    batches: toBatches(chunks),
    traceIds: prepared.traceIds.filter((traceId) => !omitted.has(traceId)),
    acceptedSpans: chunks.reduce((sum, { chunk }) => sum + chunk.spanCount, 0),
    facts: { ...facts, runs: facts.runs.filter(isKept), ...(facts.ended && { ended: facts.ended.filter(isKept) }) },
  };
}
