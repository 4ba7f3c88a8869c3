import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import { storableText } from '../../core/storable-text.ts';

/** The spans without NUL in any text; the same objects if there is none. Text columns cannot store NUL. */
export function storableSpans(spans: readonly Span[]): readonly Span[] {
  return spans.some(holdsNul) ? spans.map((span) => (holdsNul(span) ? storableSpan(span) : span)) : spans;
}

function holdsNul({ name, status, attributes, events, links, resource, scope }: Span): boolean {
  const texts = [name, status.message, scope.name, scope.version];
  return (
    texts.some((text) => text.includes('\0')) ||
    valueHoldsNul(attributes) ||
    valueHoldsNul(resource) ||
    events.some((event) => event.name.includes('\0') || valueHoldsNul(event.attributes)) ||
    links.some((link) => valueHoldsNul(link.attributes))
  );
}

function valueHoldsNul(value: AttributeValue): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(valueHoldsNul);
  for (const key in value) if (key.includes('\0') || valueHoldsNul(value[key] as AttributeValue)) return true;
  return false;
}

function storableSpan(span: Span): Span {
  return {
    ...span,
    name: storableText(span.name),
    status: { ...span.status, message: storableText(span.status.message) },
    attributes: storableAttributes(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: storableText(event.name),
      attributes: storableAttributes(event.attributes),
    })),
    links: span.links.map((link) => ({ ...link, attributes: storableAttributes(link.attributes) })),
    resource: storableAttributes(span.resource),
    scope: { name: storableText(span.scope.name), version: storableText(span.scope.version) },
  };
}

function storableAttributes(attributes: Attributes): Attributes {
  // Own members even if a key is `__proto__`.
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [storableText(key), storableValue(value)]),
  );
}

function storableValue(value: AttributeValue): AttributeValue {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(storableValue) : storableAttributes(value as Attributes);
}
