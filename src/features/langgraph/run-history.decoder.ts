import { joinChunks } from '../../core/join-chunks.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { decodeThreadHistory } from '../../formats/langgraph-server/decode-history.ts';
import { runSpanId, runTraceId } from '../../formats/langgraph-server/run-span.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { type RunNotice, toRunNotices } from '../integrations/run-notice.ts';
import { decodeShallow } from '../integrations/webhook-body.ts';
import type { RunHistory, StateRole } from './read-run-history.ts';

export interface RunHistoryParams {
  runId: string;
  /** Lengths of the pages in the body, in order. The run's own object may follow them. */
  pages: number[];
  /** The states to decode by page, and their order. */
  states: { page: number; at: number; role: StateRole }[];
}

/** Decoding this many values takes at most about 20 ms. */
const INLINE_NODES = 4_000;

/** Pages of a history with the states of one run. */
export const runHistory: BodyDecoder<RunHistoryParams, { runs: RunNotice[] }> = {
  name: 'langgraph-history',
  maxInlineNodes: INLINE_NODES,
  decode(body, params) {
    const states = statesIn(body, params);
    const { spans } = decodeShallow(() => decodeThreadHistory(states));
    const traceId = runTraceId(params.runId);
    // The run's own span is kept as its webhook reported it: only the webhook has its end, outcome and error.
    const nodes = spans.filter((span) => span.traceId === traceId && span.spanId !== runSpanId(traceId));
    return { spans: nodes, rejections: [], facts: { runs: [] } };
  },
  complete: (_facts, spans) => ({ runs: toRunNotices(spans) }),
};

/** One body with all the pages. It takes ownership of their memory. */
export async function packHistory({ states, run }: RunHistory, runId: string): Promise<[Buffer, RunHistoryParams]> {
  const pages = [...new Set(states.map(({ page }) => page))];
  const placeOf = new Map(pages.map((page, at) => [page, at]));
  const params: RunHistoryParams = {
    runId,
    pages: pages.map(({ length }) => length),
    states: states.map(({ page, at, role }) => ({ page: placeOf.get(page)!, at, role })),
  };
  const parts = run === null ? pages : [...pages, run];
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return [await joinChunks(parts, size), params];
}

function statesIn(body: Buffer, { runId, pages, states }: RunHistoryParams): Json[] {
  const found = new Map<RunHistoryParams['states'][number], JsonObject>();
  let offset = 0;
  const byPage = Map.groupBy(states, ({ page }) => page);
  for (const [number, length] of pages.entries()) {
    const page = parseJson(body.toString('utf8', offset, offset + length)) as JsonObject[];
    offset += length;
    for (const place of byPage.get(number) ?? []) found.set(place, page[place.at]!);
  }
  const run = parseJson(body.toString('utf8', offset));
  const startedAt = isJsonObject(run) ? run.created_at : undefined;
  return states.map((place, at) => {
    const state = found.get(place)!;
    if (place.role === 'own') return state;
    // Of other runs only the existence of states matters.
    if (place.role === 'before') return { ...state, values: null };
    return resumedState(state, runId, startedAt ?? found.get(states[at - 1]!)?.created_at ?? null);
  });
}

/** A run that continues after an interruption runs the tasks of the state that it finds: they belong to it. */
function resumedState(state: JsonObject, runId: string, createdAt: Json): JsonObject {
  const tasks = Array.isArray(state.tasks) ? state.tasks.filter(isJsonObject) : [];
  return {
    ...state,
    created_at: createdAt,
    metadata: { ...(isJsonObject(state.metadata) ? state.metadata : {}), run_id: runId },
    tasks: tasks.map((task) => ({ ...task, interrupts: [] })),
  };
}
