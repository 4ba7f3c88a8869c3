import type { JsonObject } from '../../core/json.ts';
import { type Attributes, nsToMs, type Span } from '../../core/span.ts';
import { MISSTEP } from './attributes.ts';

/**
 * Counts the rejected records of a session while its decoder reads them in order. Its attributes belong on the root span:
 * they state that steps of the trace are missing, and whether the last ones are.
 */
export class RejectedRecords {
  #count = 0;
  #afterMs = 0;

  /** @param readUntilNs newest time in the records read so far, Unix nanoseconds; null if none was read */
  add(readUntilNs: bigint | null): void {
    this.#count += 1;
    if (readUntilNs !== null) this.#afterMs = Math.max(this.#afterMs, nsToMs(readUntilNs));
  }

  /** Empty if nothing was rejected. */
  attributes(): JsonObject {
    if (this.#count === 0) return {};
    return { [MISSTEP.recordsRejected]: this.#count, [MISSTEP.recordsRejectedAfterMs]: this.#afterMs };
  }
}

/** Limit for the places that one body states; further records count for the last one. */
const MAX_PLACES = 100;

/**
 * Counts the rejected records of a session that arrives in several bodies, by their place in it. Each place is an attribute
 * of its own: those of other bodies are added to them, and a body that is sent again adds nothing.
 */
export class PlacedRejections {
  readonly #counts = new Map<number, number>();
  /** Number of records before the first one that was read. */
  #first = 0;

  /** @param readUntilNs newest time in the records of the body read so far, Unix nanoseconds; null if none was read */
  add(readUntilNs: bigint | null): void {
    if (readUntilNs === null) {
      this.#first += 1;
      return;
    }
    const place = nsToMs(readUntilNs);
    const isFull = this.#counts.size >= MAX_PLACES && !this.#counts.has(place);
    const at = isFull ? [...this.#counts.keys()].at(-1)! : place;
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + 1);
  }

  /**
   * Empty if nothing was rejected, and if no record was read.
   * @param firstReadNs time of the first record of the body that was read; null if none was read
   */
  attributes(firstReadNs: bigint | null): JsonObject {
    if (firstReadNs === null) return {};
    const counts = [...this.#counts];
    if (this.#first > 0) counts.push([nsToMs(firstReadNs) - 1, this.#first]);
    if (counts.length === 0) return {};
    const placed = counts.map(([place, number]) => [`${MISSTEP.recordsRejectedAt}${place}`, number]);
    return { [MISSTEP.areRejectedPlaced]: true, ...Object.fromEntries(placed) };
  }
}

/** The sum of the counts by place, and the last place; undefined if the attributes contain none. */
export function placedRejections(attributes: Attributes): { count: number; afterMs: number } | undefined {
  if (attributes[MISSTEP.areRejectedPlaced] !== true) return undefined;
  let [sum, last] = [0, 0];
  for (const [key, count] of Object.entries(attributes)) {
    if (!key.startsWith(MISSTEP.recordsRejectedAt) || typeof count !== 'number' || !(count > 0)) continue;
    sum += count;
    last = Math.max(last, Number(key.slice(MISSTEP.recordsRejectedAt.length)) || 0);
  }
  return sum === 0 ? undefined : { count: sum, afterMs: last };
}

/** A rejected record whose trace is known. */
export interface RejectedOfTrace {
  traceId: string;
  /** Number of spans of the body that were read before it, of any trace; rejected records are in order. */
  spansBefore: number;
}

/**
 * The spans of a body, in the order of its records, with the number of rejected records on one span of each trace: its root
 * if the body contains it. A trace of which the body contains no other span gets no mark.
 */
export function withRejections(spans: readonly Span[], rejected: readonly RejectedOfTrace[]): Span[] {
  const counts = countsByTrace(spans, rejected);
  const marked = [...spans];
  for (const [traceId, at] of placesOf(spans, counts)) {
    const span = spans[at]!;
    const attributes = counts.get(traceId)!.attributes() as Span['attributes'];
    marked[at] = { ...span, attributes: { ...span.attributes, ...attributes } };
  }
  return marked;
}

/** In one pass: a body may contain many spans and many rejected ones. */
function countsByTrace(
  spans: readonly Span[],
  rejected: readonly RejectedOfTrace[],
): ReadonlyMap<string, RejectedRecords> {
  const counts = new Map<string, RejectedRecords>();
  const newest = new Map<string, bigint>();
  let read = 0;
  for (const { traceId, spansBefore } of rejected) {
    for (; read < spansBefore; read += 1) addTime(newest, spans[read]!);
    const records = counts.get(traceId) ?? new RejectedRecords();
    counts.set(traceId, records);
    records.add(newest.get(traceId) ?? null);
  }
  return counts;
}

/** A root ends after the records that are missing below it. */
function addTime(newest: Map<string, bigint>, { traceId, parentSpanId, startNs, endNs }: Span): void {
  if (parentSpanId === null) return;
  const time = endNs === null || endNs < startNs ? startNs : endNs;
  if (time > (newest.get(traceId) ?? 0n)) newest.set(traceId, time);
}

/** Position of the root of each trace with rejected records, or of its first span. */
function placesOf(spans: readonly Span[], counts: ReadonlyMap<string, RejectedRecords>): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  if (counts.size === 0) return places;
  const roots = new Set<string>();
  spans.forEach(({ traceId, parentSpanId }, at) => {
    if (!counts.has(traceId) || roots.has(traceId)) return;
    if (parentSpanId === null) roots.add(traceId);
    if (parentSpanId === null || !places.has(traceId)) places.set(traceId, at);
  });
  return places;
}
