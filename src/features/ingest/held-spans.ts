import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { claimOn, type Home, holdingOf, releasedSpans } from '../../formats/n8n/otel-spans.ts';
import type { Db } from '../../store/connection.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { decodeChunk } from '../../store/span-chunk.ts';
import type { OtlpFacts } from './otlp-decoder.ts';
import { type PreparedBody, packSpans } from './prepare.ts';
import { chunksOf, type PreparedChunk, toBatches } from './prepared-batch.ts';

/**
 * A body with the spans that waited for it, and with its own spans in the trace that earlier bodies named for them. What
 * waited stays in its hidden trace as well, since a body that is not committed is sent again. `held-runs.service.ts`
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
  const held = new HeldTraces(db, tenantNo);
  await held.read([...claims.map((claim) => claim.heldTraceId), ...heldTraceIds]);
  const waiting = new Set(heldTraceIds);
  const chunks: PreparedChunk[] = [];
  for (const chunk of prepared.batches.flatMap(chunksOf)) {
    const { traceId } = chunk.touch;
    const home = waiting.has(traceId) ? await held.homeOf(traceId) : null;
    if (home === null) chunks.push(chunk);
    else chunks.push(...pack(home, decodeChunk(chunk.chunk.data, traceId), now));
  }
  const shown = claims.map(({ heldTraceId }) => heldTraceId).filter((id) => isShown(held.spansOf(id)));
  for (const { heldTraceId, traceId } of claims) {
    const home = waiting.has(traceId)
      ? ((await held.homeOf(traceId)) ?? { traceId, isHeld: true })
      : { traceId, isHeld: false };
    chunks.push(...pack(home, held.spansOf(heldTraceId), now));
  }
  const soon = chunks.map((chunk) => (shown.includes(chunk.touch.traceId) ? { ...chunk, heldMs: 0 } : chunk));
  return { ...prepared, batches: toBatches(soon) };
}

/** Whether spans were shown as a run of their own before the run that they belong to came. */
function isShown(held: readonly Span[]): boolean {
  return held.some((span) => holdingOf(span) === null);
}

function pack(home: Home, spans: readonly Span[], now: number): PreparedChunk[] {
  const released = releasedSpans(spans, home);
  return released.length === 0 ? [] : packSpans(home.traceId, released, now);
}

/** An error workflow waits for the run that failed, and its nodes for it: no chain is longer by much. */
const MOST_STEPS = 4;

/** The stored spans of hidden traces, each read once. */
export class HeldTraces {
  private readonly known = new Map<string, Span[]>();
  private readonly db: Db;
  private readonly tenantNo: number;

  constructor(db: Db, tenantNo: number) {
    this.db = db;
    this.tenantNo = tenantNo;
  }

  async read(traceIds: readonly string[]): Promise<void> {
    const stored = await readChunksOfTraces(this.db, this.tenantNo, traceIds);
    for (const [traceId, chunks] of stored)
      this.known.set(traceId, mergeSpans(chunks.flatMap((chunk) => decodeChunk(chunk, traceId))));
  }

  spansOf(traceId: string): Span[] {
    return this.known.get(traceId) ?? [];
  }

  /** The trace that what is held here belongs to; null where no body has named it. */
  async homeOf(heldTraceId: string): Promise<Home | null> {
    let home: Home | null = null;
    for (let at = heldTraceId, steps = 0; steps < MOST_STEPS; steps += 1) {
      if (!this.known.has(at)) await this.read([at]);
      const next = claimOn(this.spansOf(at));
      if (next === null) break;
      home = next;
      if (!next.isHeld) break;
      at = next.traceId;
    }
    return home;
  }
}
