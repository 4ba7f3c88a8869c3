import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import type { CueScanner } from './cue-scanner.ts';
import { isDisguised } from './disguise.ts';
import { textOfBytes } from './edit-spans.ts';
import { hasEncodedText } from './encoded-text.ts';
import type { KeyNames } from './key-names.ts';
import { findWrappedKeys } from './wrapped-keys.ts';

/** What a look over all texts of some spans at once says. */
export interface FirstLook {
  /** Some cue occurs somewhere. */
  hasCue: boolean;
  /** Some text has characters that do not show or are spelt out, token broken over lines, or encoded text. */
  hasDisguise: boolean;
  hasBrokenLines: boolean;
  hasEncoded: boolean;
  /** Some text or key may hold a secret. */
  isSuspect: boolean;
}

/**
 * Most spans hold nothing to redact. The cues are searched once in all texts joined: a cue that spans a seam costs a
 * second search, never a miss, since cues have no anchors.
 */
export function lookOver(spans: readonly Span[], cues: CueScanner, names: Pick<KeyNames, 'of'>): FirstLook {
  const texts: string[] = [];
  let hasSecretNames = false;

  function members(attributes: Attributes): void {
    for (const key in attributes) {
      const { secret, isHarmless } = names.of(key);
      if (secret !== null) hasSecretNames = true;
      if (!isHarmless) texts.push(key);
      collect(attributes[key]!);
    }
  }

  function collect(value: AttributeValue): void {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      if (typeof value.$bytes === 'string') texts.push(textOfBytes(value.$bytes) ?? '');
      members(value);
    }
  }

  function id(text: string): void {
    if (!isPlainId(text)) texts.push(text);
  }

  const resources = new Set<Attributes>();
  const scopes = new Set<Span['scope']>();
  for (const span of spans) {
    id(span.traceId);
    id(span.spanId);
    if (span.parentSpanId !== null) id(span.parentSpanId);
    texts.push(span.name, span.status.message);
    members(span.attributes);
    for (const event of span.events) {
      texts.push(event.name);
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
  for (const { name, version } of scopes) texts.push(name, version);
  return lookAt(texts.join('\n\n'), cues, hasSecretNames);
}

function lookAt(joined: string, cues: CueScanner, hasSecretNames: boolean): FirstLook {
  const hasCue = cues.find(joined).size > 0;
  const hasDisguise = isDisguised(joined);
  const hasEncoded = hasEncodedText(joined);
  const hasBrokenLines = findWrappedKeys(joined).length > 0;
  const isSuspect = hasCue || hasSecretNames || hasDisguise || hasEncoded || hasBrokenLines;
  return { hasCue, hasDisguise, hasEncoded, hasBrokenLines, isSuspect };
}

/** As OTLP has it: 16 or 32 hex digits. */
function isPlainId(text: string): boolean {
  return (text.length === 32 || text.length === 16) && /^[0-9a-f]*$/.test(text);
}
