import type { Db } from '../../store/connection.ts';
import { readTraces } from '../../store/trace.store.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import { chunksOf, toBatches } from '../ingest/prepared-batch.ts';
import { groupByTrace } from '../ingest/trace-touch.ts';
import type { PlatformRuns } from './integration-source.ts';
import type { PlatformRunsFacts } from './platform-runs.decoder.ts';

/** Leaves out what a summary tells of runs that are known in full. */
export async function withoutKnownBetter(
  db: Db,
  tenantNo: number,
  prepared: PreparedBody<PlatformRunsFacts>,
): Promise<PreparedBody<PlatformRunsFacts>> {
  if (!prepared.facts.isSummary) return prepared;
  const better = await knownBetter(db, tenantNo, prepared.facts.runs);
  return better.size === 0 ? prepared : withoutTraces(prepared, better);
}

/** The same for spans that are not prepared yet. */
export async function runsNotKnownBetter(db: Db, tenantNo: number, runs: PlatformRuns): Promise<PlatformRuns> {
  if (!runs.isSummary) return runs;
  const groups = [...groupByTrace(runs.spans)].map(([traceId, spans]) => ({ traceId, spanCount: spans.length }));
  const better = await knownBetter(db, tenantNo, groups);
  return { ...runs, spans: runs.spans.filter(({ traceId }) => !better.has(traceId)) };
}

/** Traces with more spans than were sent. One whose end is not known lacks just what a summary tells. */
async function knownBetter(
  db: Db,
  tenantNo: number,
  runs: readonly { traceId: string; spanCount: number }[],
): Promise<Set<string>> {
  const traceIds = runs.map(({ traceId }) => traceId);
  const known = await readTraces(db, tenantNo, traceIds);
  const better = runs.filter(({ traceId, spanCount }) => {
    const trace = known.get(traceId);
    return trace?.root_ended === 1 && trace.span_count > spanCount;
  });
  return new Set(better.map(({ traceId }) => traceId));
}

function withoutTraces(
  prepared: PreparedBody<PlatformRunsFacts>,
  left: ReadonlySet<string>,
): PreparedBody<PlatformRunsFacts> {
  const { facts } = prepared;
  const isKept = ({ traceId }: { traceId: string }) => !left.has(traceId);
  const chunks = prepared.batches.flatMap(chunksOf).filter(({ touch }) => isKept(touch));
  return {
    ...prepared,
    batches: toBatches(chunks),
    traceIds: prepared.traceIds.filter((traceId) => !left.has(traceId)),
    acceptedSpans: chunks.reduce((sum, { chunk }) => sum + chunk.spanCount, 0),
    facts: { ...facts, runs: facts.runs.filter(isKept), ended: facts.ended.filter(isKept) },
  };
}
