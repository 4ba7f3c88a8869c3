import type { Span } from './span.ts';

/**
 * Spans of one id made one, in order of first appearance. A complete span sent again replaces the one before: the last
 * write wins. Where a sender tells beginning and end apart, each says its part: the later word stands, what only the
 * earlier said is kept.
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
  if (isWhole(first) && isWhole(second)) return second;
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

function isWhole(span: Span): boolean {
  return span.startNs !== 0n && span.endNs !== null;
}

function earliestKnown(one: bigint, other: bigint): bigint {
  if (one === 0n || other === 0n) return one + other;
  return one < other ? one : other;
}
