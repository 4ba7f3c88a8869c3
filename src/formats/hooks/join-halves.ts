import { canonicalJson, parseJson } from '../../core/json.ts';
import type { AttributeValue, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** Key of every request to a model: requests cannot be told apart. */
const MODEL = 'model';

/**
 * Joins what hooks without ids said in parts: the end of a call takes the start of the oldest open call of the same tool
 * with the same arguments, the end of a model call that of the last request. All other spans stay as they are. Time grows
 * with n log n.
 */
export function joinHalves(spans: readonly Span[]): readonly Span[] {
  const halves = spans.filter(isHalf).sort(byTime);
  return halves.length === 0 ? spans : [...spans.filter((span) => !isHalf(span)), ...withStarts(halves)];
}

function isHalf({ attributes }: Span): boolean {
  return typeof attributes[MISSTEP.hookHalf] === 'string';
}

/** Each step once. A request without an answer is no step; a call without an end stays open. */
function withStarts(halves: readonly Span[]): Span[] {
  const open = new Map<string, Span[]>();
  const steps: Span[] = [];
  for (const span of halves) {
    const key = keyOf(span);
    const waiting = open.get(key) ?? [];
    open.set(key, waiting);
    if (span.attributes[MISSTEP.hookHalf] === 'start') {
      if (key === MODEL) waiting.length = 0;
      waiting.push(span);
    } else steps.push(withStart(span, waiting.shift()));
  }
  open.delete(MODEL);
  return [...steps, ...[...open.values()].flat()];
}

function withStart(end: Span, start: Span | undefined): Span {
  return start === undefined || start.startNs > end.startNs ? end : { ...end, startNs: start.startNs };
}

function keyOf({ attributes }: Span): string {
  const tool = attributes['gen_ai.tool.name'];
  if (typeof tool !== 'string') return MODEL;
  return JSON.stringify([tool, canonical(attributes['gen_ai.tool.call.arguments'])]);
}

function canonical(value: AttributeValue | undefined): string {
  const json = typeof value === 'string' ? parseJson(value) : undefined;
  return json === undefined ? String(value ?? '') : canonicalJson(json);
}

function byTime(one: Span, other: Span): number {
  const [a, b] = [one.endNs ?? one.startNs, other.endNs ?? other.startNs];
  return a < b ? -1 : a > b ? 1 : 0;
}
