import { canonicalJson, parseJson } from '../../core/json.ts';
import type { AttributeValue, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { joinResponses } from './join-responses.ts';

/**
 * Joins the parts of hook records without ids: the end of a call takes the start of the oldest open call of the same tool
 * with the same arguments; a model response takes the start of its request. All other spans are unchanged. O(n log n).
 */
export function joinHookParts(spans: readonly Span[]): readonly Span[] {
  const parts = spans.filter(isPart).sort(byTime);
  if (parts.length === 0) return spans;
  const others = spans.filter((span) => !isPart(span));
  return [...others, ...joinCalls(parts.filter(isTool)), ...joinResponses(parts.filter((span) => !isTool(span)))];
}

function isPart({ attributes }: Span): boolean {
  return typeof attributes[MISSTEP.hookPart] === 'string';
}

function isTool({ attributes }: Span): boolean {
  return typeof attributes['gen_ai.tool.name'] === 'string';
}

/** Creates each call once. A call without an end stays open. */
function joinCalls(parts: readonly Span[]): Span[] {
  const open = new Map<string, Span[]>();
  const steps: Span[] = [];
  for (const span of parts) {
    const key = keyOf(span);
    const waiting = open.get(key) ?? [];
    open.set(key, waiting);
    if (span.attributes[MISSTEP.hookPart] === 'start') waiting.push(span);
    else steps.push(withStart(span, waiting.shift()));
  }
  return [...steps, ...[...open.values()].flat()];
}

function withStart(end: Span, start: Span | undefined): Span {
  return start === undefined || start.startNs > end.startNs ? end : { ...end, startNs: start.startNs };
}

function keyOf({ attributes }: Span): string {
  return JSON.stringify([attributes['gen_ai.tool.name'], canonical(attributes['gen_ai.tool.call.arguments'])]);
}

function canonical(value: AttributeValue | undefined): string {
  const json = typeof value === 'string' ? parseJson(value) : undefined;
  return json === undefined ? String(value ?? '') : canonicalJson(json);
}

function byTime(one: Span, other: Span): number {
  const [a, b] = [one.endNs ?? one.startNs, other.endNs ?? other.startNs];
  return a < b ? -1 : a > b ? 1 : 0;
}
