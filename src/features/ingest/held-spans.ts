import type { Span } from '../../core/span.ts';
import { markerTraceId, releasedSpans, type TraceTarget, targetOf } from '../../formats/n8n/otel-spans.ts';
import type { Db } from '../../store/connection.ts';
import { readChunks, readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { decodeChunk, mergeChunks } from '../../store/span-chunk.ts';
import type { OtlpFacts } from './otlp-decoder.ts';
import { type PreparedBody, packSpans } from './prepare.ts';
import { chunksOf, type Held, type PreparedChunk, toBatches } from './prepared-batch.ts';

/** A request moves at most this many waiting spans; `held-runs.service.ts` moves the rest a few seconds later. */
const MAX_MOVED = 1_000;

/**
 * A body with the spans that waited for it, and with its own spans in the trace that earlier bodies named for them. The
 * waiting spans also stay in their hidden trace, since a body that is not committed is sent again. `held-runs.service.ts`
 * deletes it later.
 *
 * @param now Unix milliseconds
 */
export async function withHeldSpans(
  db: Db,
  tenantNo: number,
  prepared: PreparedBody<OtlpFacts>,
  now: number,
): Promise<PreparedBody<OtlpFacts>> {
  const { claims, heldTraceIds } = prepared.facts;
  if (claims.length + heldTraceIds.length === 0) return prepared;
  const owners = new OwningTraces(db, tenantNo);
  await owners.read(heldTraceIds);
  const waiting = new Set(heldTraceIds);
  const known = await readHidden(
    db,
    tenantNo,
    claims.map((claim) => claim.heldTraceId),
  );
  const claimed = new Map(claims.map(({ heldTraceId }) => [markerTraceId(heldTraceId), heldTraceId]));
  const chunks: PreparedChunk[] = [];
  for (const chunk of prepared.batches.flatMap(chunksOf)) {
    const { traceId } = chunk.touch;
    const target = waiting.has(traceId) ? await owners.of(traceId) : null;
    const heldTraceId = claimed.get(traceId);
    if (target !== null) chunks.push(...pack(target, decodeChunk(chunk.chunk.data, traceId), now));
    else if (waiting.has(traceId)) chunks.push({ ...chunk, held: { traceId, state: 'waiting' } });
    else if (heldTraceId !== undefined)
      chunks.push({ ...chunk, held: { traceId: heldTraceId, state: stateOf(known.get(heldTraceId)) } });
    else chunks.push(chunk);
  }
  let moved = 0;
  for (const { heldTraceId, traceId } of claims) {
    moved += known.get(heldTraceId)?.span_count ?? 0;
    if (moved > MAX_MOVED) break;
    if (!known.has(heldTraceId)) continue;
    const target = waiting.has(traceId)
      ? ((await owners.of(traceId)) ?? { traceId, isHeld: true })
      : { traceId, isHeld: false };
    chunks.push(...pack(target, await readSpans(db, tenantNo, heldTraceId), now));
  }
  return { ...prepared, batches: toBatches(chunks) };
}

interface HiddenRow {
  trace_id: string;
  span_count: number;
  is_bookkeeping: number;
}

async function readHidden(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<Map<string, HiddenRow>> {
  if (traceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('traces')
    .select(['trace_id', 'span_count', 'is_bookkeeping'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
  return new Map(rows.map((row) => [row.trace_id, row]));
}

function stateOf(row: HiddenRow | undefined): Held['state'] {
  return row !== undefined && row.is_bookkeeping === 0 ? 'shown' : 'claimed';
}

async function readSpans(db: Db, tenantNo: number, traceId: string): Promise<Span[]> {
  return mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
}

/** Spans of a hidden trace as chunks of the trace that they belong to. */
export function pack(target: TraceTarget, spans: readonly Span[], now: number): PreparedChunk[] {
  if (spans.length === 0) return [];
  const held: Held | null = target.isHeld ? { traceId: target.traceId, state: 'waiting' } : null;
  return packSpans(target.traceId, releasedSpans(spans, target), now).map((chunk) => ({ ...chunk, held }));
}

/** An error workflow waits for the run that failed, and its nodes for it: no chain is much longer. */
const MAX_STEPS = 4;

/** The traces to which the spans of hidden traces belong. */
export class OwningTraces {
  private readonly known = new Map<string, TraceTarget | null>();
  private readonly db: Db;
  private readonly tenantNo: number;

  constructor(db: Db, tenantNo: number) {
    this.db = db;
    this.tenantNo = tenantNo;
  }

  /** Reads the markers of several hidden traces at once. */
  async read(heldTraceIds: readonly string[]): Promise<void> {
    if (heldTraceIds.length === 0) return;
    const stored = await readChunksOfTraces(this.db, this.tenantNo, heldTraceIds.map(markerTraceId));
    for (const heldTraceId of heldTraceIds) {
      const marker = markerTraceId(heldTraceId);
      this.known.set(heldTraceId, targetOf(mergeChunks(stored.get(marker) ?? [], marker)));
    }
  }

  /** The trace to which these held spans belong; null if no body has named it. */
  async of(heldTraceId: string): Promise<TraceTarget | null> {
    let target: TraceTarget | null = null;
    for (let at = heldTraceId, steps = 0; steps < MAX_STEPS; steps += 1) {
      if (!this.known.has(at)) await this.read([at]);
      const next = this.known.get(at) ?? null;
      if (next === null) break;
      target = next;
      if (!next.isHeld) break;
      at = next.traceId;
    }
    return target;
  }
}
