import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import { textOfBytes } from './edit-spans.ts';
import type { KeyName } from './key-names.ts';

/**
 * Every text of the spans in which a secret may stand: values, member keys, names, messages, ids of unusual form. What
 * several spans share is visited once. @returns whether some member's name says secret
 */
export function visitTexts(
  spans: readonly Span[],
  names: { of(key: string): Pick<KeyName, 'secret' | 'isHarmless'> },
  visit: (text: string) => void,
): boolean {
  let hasSecretNames = false;

  function members(attributes: Attributes): void {
    for (const key in attributes) {
      const { secret, isHarmless } = names.of(key);
      if (secret !== null) hasSecretNames = true;
      if (!isHarmless) visit(key);
      values(attributes[key]!);
    }
  }

  function values(value: AttributeValue): void {
    if (typeof value === 'string') visit(value);
    else if (Array.isArray(value)) for (const each of value) values(each);
    else if (typeof value === 'object' && value !== null) {
      if (typeof value.$bytes === 'string') visit(textOfBytes(value.$bytes) ?? '');
      members(value);
    }
  }

  function id(text: string): void {
    if (!isPlainId(text)) visit(text);
  }

  const resources = new Set<Attributes>();
  const scopes = new Set<Span['scope']>();
  for (const span of spans) {
    id(span.traceId);
    id(span.spanId);
    if (span.parentSpanId !== null) id(span.parentSpanId);
    visit(span.name);
    visit(span.status.message);
    members(span.attributes);
    for (const event of span.events) {
      visit(event.name);
      members(event.attributes);
    }
    for (const link of span.links) {
      id(link.traceId);
      id(link.spanId);
      members(link.attributes);
    }
    resources.add(span.resource);
    scopes.add(span.scope);
  }
  resources.forEach(members);
  for (const { name, version } of scopes) {
    visit(name);
    visit(version);
  }
  return hasSecretNames;
}

/** As OTLP has it: 16 or 32 hex digits. */
export function isPlainId(text: string): boolean {
  return (text.length === 32 || text.length === 16) && /^[0-9a-f]*$/.test(text);
}
