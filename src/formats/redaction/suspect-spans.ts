import type { Span } from '../../core/span.ts';
import type { KeyNames } from './key-names.ts';
import { SpanTexts } from './span-texts.ts';
import type { TextLooks } from './text-looks.ts';

/**
 * The spans that have to be edited: most hold nothing to redact. A resource or scope that several spans share counts for
 * the first of them.
 */
export function suspectSpans(spans: readonly Span[], looks: TextLooks, names: KeyNames): Span[] {
  const texts = new SpanTexts(names, (text) => looks.expect(text));
  const shared = new Set<Span['resource'] | Span['scope']>();
  return spans.filter((span) => {
    texts.hasSecretName = false;
    texts.ofSpan(span);
    if (!shared.has(span.resource)) texts.ofMembers(span.resource);
    if (!shared.has(span.scope)) texts.ofScope(span.scope);
    shared.add(span.resource).add(span.scope);
    return looks.hasSuspect() || texts.hasSecretName;
  });
}
