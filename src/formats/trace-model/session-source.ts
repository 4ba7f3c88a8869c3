import { isJsonObject, parseJson } from '../../core/json.ts';
import { precisionOf } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';

/** The replacement of a span; null if another span reports the same step. */
export type Replacements = Map<Span, Span | null>;

/** The spans after replacement. */
export function replaceSpans(spans: readonly Span[], replaced: Replacements): Span[] {
  return spans.flatMap((span) => {
    const by = replaced.get(span);
    return by === undefined ? [span] : (by ?? []);
  });
}

export function byPrecision(one: readonly Span[], other: readonly Span[]): number {
  return precisionOf(other[0]!) - precisionOf(one[0]!);
}

export function timeOf({ startNs, endNs }: Span): bigint {
  return endNs ?? startNs;
}

export function byTime(one: Span, other: Span): number {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The last text in a step's output. */
export function outputTextOf({ attributes }: Span): string | null {
  const text = attributes['gen_ai.output.messages'];
  const messages = typeof text === 'string' ? parseJson(text) : undefined;
  const parts = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    isJsonObject(message) && Array.isArray(message.parts) ? message.parts : [],
  );
  const texts = parts.flatMap((part) =>
    isJsonObject(part) && part.type === 'text' && typeof part.content === 'string' ? [part.content.trim()] : [],
  );
  return texts.at(-1) ?? null;
}
