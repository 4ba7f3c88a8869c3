import type { Attributes, AttributeValue, Span, SpanScope } from '../../core/span.ts';
import { textOfBytes } from './edit-spans.ts';
import type { KeyName } from './key-names.ts';

type Names = { of(key: string): Pick<KeyName, 'secret' | 'isHarmless'> };

/** Visits the texts of a span, part by part. */
export class SpanTexts {
  readonly #names: Names;
  readonly #visit: (text: string) => void;
  /** The last resource: most spans of a body have the same one. */
  #traceId = '';
  /** Whether a member has a name for secrets. */
  hasSecretName = false;

  constructor(names: Names, visit: (text: string) => void) {
    this.#names = names;
    this.#visit = visit;
  }

  /** Names, messages, values, member keys and ids of unusual form, without resource and scope. */
  ofSpan(span: Span): void {
    if (span.traceId !== this.#traceId) this.#id(span.traceId);
    this.#traceId = span.traceId;
    this.#id(span.spanId);
    if (span.parentSpanId !== null) this.#id(span.parentSpanId);
    this.#visit(span.name);
    this.#visit(span.status.message);
    this.ofMembers(span.attributes);
    for (const event of span.events) {
      this.#visit(event.name);
      this.ofMembers(event.attributes);
    }
    for (const link of span.links) {
      this.#id(link.traceId);
      this.#id(link.spanId);
      this.ofMembers(link.attributes);
    }
  }

  ofScope({ name, version }: SpanScope): void {
    this.#visit(name);
    this.#visit(version);
  }

  ofMembers(attributes: Attributes): void {
    for (const key in attributes) {
      const { secret, isHarmless } = this.#names.of(key);
      if (secret !== null) this.hasSecretName = true;
      if (!isHarmless) this.#visit(key);
      this.#value(attributes[key]!);
    }
  }

  #value(value: AttributeValue): void {
    if (typeof value === 'string') this.#visit(value);
    else if (Array.isArray(value)) for (const each of value) this.#value(each);
    else if (typeof value === 'object' && value !== null) {
      if (typeof value.$bytes === 'string') this.#visit(textOfBytes(value.$bytes) ?? '');
      this.ofMembers(value);
    }
  }

  #id(text: string): void {
    if (!isPlainId(text)) this.#visit(text);
  }
}

/** Whether an id has OTLP's form: 16 or 32 hex digits. */
export function isPlainId(text: string): boolean {
  if (text.length !== 32 && text.length !== 16) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!((code >= 48 && code <= 57) || (code >= 97 && code <= 102))) return false;
  }
  return true;
}
