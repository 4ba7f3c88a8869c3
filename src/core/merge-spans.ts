import { AttributeJoiner } from './attribute-joiner.ts';
import type { Span } from './span.ts';

/**
 * Merges spans that have the same id, in order of first appearance. A complete span that is sent again replaces the earlier
 * one: the last write wins. If a sender reports beginning and end separately, the parts are merged: a later value wins, and
 * values that only the earlier part has are kept.
 */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged = new Map<string, Span>();
  const joiner = new AttributeJoiner();
  for (const span of spans) {
    const key = `${span.traceId} ${span.spanId}`;
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? span : mergePair(earlier, span, joiner));
  }
  return [...merged.values()];
}

/** Attribute of a span whose sender measured the duration: its times take precedence over observed ones. */
export const MEASURED_TIME = 'misstep.time.is_measured';

/** Scopes of Misstep's decoders for hooks and log events of coding agents. */
export const HOOK_SCOPE = 'misstep.hooks';
export const EVENT_SCOPE = 'misstep.agent-events';

/** Scopes of Misstep's decoders for session files, such as `codex.rollout`. Telemetry from the agents has other scope names. */
const SESSION_FILE = /^[a-z-]{1,40}\.(?:chat|events|export|messages|rollout|session|transcript)$/;

/** Precision of a source for one step of a coding agent: the session file is the most precise, hooks the least. */
export function precisionOf({ scope }: Span): number {
  if (scope.name === HOOK_SCOPE) return 0;
  if (scope.name === EVENT_SCOPE) return 1;
  return SESSION_FILE.test(scope.name) ? 3 : 2;
}

/** A step takes its name and facts from the most precise source, whatever the arrival order. A root takes the current state. */
function mergePair(one: Span, other: Span, joiner: AttributeJoiner): Span {
  const isExactFirst = one.parentSpanId !== null && precisionOf(one) > precisionOf(other);
  const [first, second] = isExactFirst ? [other, one] : [one, other];
  const measured = isMeasured(second) ? second : isMeasured(first) ? first : null;
  const merged = mergeParts(first, second, joiner);
  return measured === null ? merged : { ...merged, startNs: measured.startNs, endNs: measured.endNs };
}

function isMeasured({ attributes, endNs }: Span): boolean {
  return attributes[MEASURED_TIME] === true && endNs !== null;
}

/**
 * Attribute of a span that is described by several records: `begin` identifies the span, `update` adds to it, `joinSpans` is
 * both. The parent of an update counts only if no beginning is known; its name and its additions win. A beginning and its
 * updates can be merged in any order. If two updates contradict each other, the one that arrives last wins, even if it is
 * the older one sent again: an update does not carry its creation time.
 */
export const SPAN_PART = 'misstep.span.part';

const PARTS = ['begin', 'joined', 'update'];

/** Position in `PARTS`; null for a span that is not a part. */
function partOf({ attributes }: Span): number | null {
  const at = PARTS.indexOf(String(attributes[SPAN_PART]));
  return at < 0 ? null : at;
}

function joinPartial(first: Span, second: Span, joiner: AttributeJoiner): Span {
  const [firstPart, secondPart] = [partOf(first) ?? 1, partOf(second) ?? 1];
  const [earlier, later] = firstPart > secondPart ? [second, first] : [first, second];
  const isUpdate = Math.max(firstPart, secondPart) === 2 && firstPart !== secondPart;
  const attributes = joiner.join(earlier.attributes, later.attributes);
  attributes[SPAN_PART] = PARTS[firstPart === secondPart ? firstPart : 1]!;
  return {
    ...(isUpdate ? earlier : later),
    name: later.name || earlier.name,
    startNs: earliestKnown(first.startNs, second.startNs),
    endNs: latestKnown(first.endNs, second.endNs),
    status: failureOf(later, earlier) ?? later.status,
    attributes,
    events: later.events.length > 0 ? later.events : earlier.events,
  };
}

function mergeParts(first: Span, second: Span, joiner: AttributeJoiner): Span {
  if (partOf(first) !== null || partOf(second) !== null) return joinPartial(first, second, joiner);
  if (isWhole(first) && isWhole(second)) return replace(first, second, joiner);
  if (isReopening(second, first)) return { ...first, ...joinSpans(first, second, joiner), endNs: null };
  if (isReopening(first, second)) return { ...second, ...joinSpans(second, first, joiner), endNs: null };
  // A beginning that arrives late must not reopen a span that has ended.
  const isBeginningLate = second.endNs === null && first.endNs !== null;
  const [earlier, later] = isBeginningLate ? [second, first] : [first, second];
  const isOneSender = earlier.scope.name === later.scope.name;
  const status = (isOneSender ? null : failureOf(later, earlier)) ?? later.status;
  return { ...later, status, ...joinSpans(earlier, later, joiner), endNs: latestKnown(earlier.endNs, later.endNs) };
}

/** Two senders that report one span, each in its own scope, know different facts; a failure that one of them reports is kept. */
function replace(first: Span, second: Span, joiner: AttributeJoiner): Span {
  if (first.scope.name === second.scope.name) return second;
  const status = failureOf(second, first) ?? second.status;
  return { ...second, status, attributes: joiner.join(first.attributes, second.attributes) };
}

function failureOf(...spans: readonly Span[]): Span['status'] | null {
  return spans.find(({ status }) => status.code === 2)?.status ?? null;
}

/** An idle run continues: its root starts again after its known end. */
function isReopening(beginning: Span, ended: Span): boolean {
  if (beginning.parentSpanId !== null || beginning.endNs !== null || ended.endNs === null) return false;
  return beginning.startNs > ended.endNs;
}

function joinSpans(earlier: Span, later: Span, joiner: AttributeJoiner): Pick<Span, 'startNs' | 'attributes'> {
  return {
    startNs: earliestKnown(earlier.startNs, later.startNs),
    attributes: joiner.join(earlier.attributes, later.attributes),
  };
}

function isWhole(span: Span): boolean {
  return span.startNs !== 0n && span.endNs !== null;
}

function earliestKnown(one: bigint, other: bigint): bigint {
  if (one === 0n || other === 0n) return one + other;
  return one < other ? one : other;
}

function latestKnown(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
