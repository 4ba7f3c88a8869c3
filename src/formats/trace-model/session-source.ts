import { isJsonObject, parseJson } from '../../core/json.ts';
import { precisionOf } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';

/** The replacement of a span; null if another span reports the same step. */
export type Replaced = Map<Span, Span | null>;

/** The spans after replacement. */
export function withReplaced(spans: readonly Span[], replaced: Replaced): Span[] {
  return spans.flatMap((span) => {
    const by = replaced.get(span);
    return by === undefined ? [span] : (by ?? []);
  });
}

export function byExactness(one: readonly Span[], other: readonly Span[]): number {
  return precisionOf(other[0]!) - precisionOf(one[0]!);
}

export function momentOf({ startNs, endNs }: Span): bigint {
  return endNs ?? startNs;
}

export function byMoment(one: Span, other: Span): number {
  const [first, second] = [momentOf(one), momentOf(other)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The last text in a step's output. */
export function wordsOf({ attributes }: Span): string | null {
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
