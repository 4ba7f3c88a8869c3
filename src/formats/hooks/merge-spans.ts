import type { Span } from '../../core/span.ts';

/**
 * Spans of one id made one, where a beginning and an end come in the same reading: the later record's word stands, what
 * only the earlier said is kept. Order of first appearance.
 */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged = new Map<string, Span>();
  for (const span of spans) {
    const key = `${span.traceId} ${span.spanId}`;
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? span : mergePair(earlier, span));
  }
  return [...merged.values()];
}

function mergePair(first: Span, second: Span): Span {
  // A beginning that arrives late must not reopen what has ended.
  const isBeginningLate = second.endNs === null && first.endNs !== null;
  const [earlier, later] = isBeginningLate ? [second, first] : [first, second];
  return {
    ...later,
    startNs: earliestKnown(earlier.startNs, later.startNs),
    endNs: later.endNs ?? earlier.endNs,
    attributes: { ...earlier.attributes, ...later.attributes },
  };
}

function earliestKnown(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return a + b;
  return a < b ? a : b;
}
