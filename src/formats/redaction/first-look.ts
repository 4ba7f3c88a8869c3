import type { Attributes, AttributeValue, Span } from '../../core/span.ts';
import type { Cue } from './pattern.ts';
import type { SecretName } from './secret-names.ts';

/** What a look over all texts of some spans at once says. */
export interface FirstLook {
  /** Cues that occur somewhere; the others need no second look in any of the texts. */
  cues: readonly Cue[];
  /** Some value stands under a name that says secret. */
  hasSecretNames: boolean;
}

/**
 * Most spans hold nothing to redact. Each cue is tried once over all texts joined, instead of once a text: a cue that
 * spans a seam costs a second look, never a miss, since cues have no anchors.
 */
export function lookOver(
  spans: readonly Span[],
  cues: readonly Cue[],
  names: { of(key: string): SecretName | null },
): FirstLook {
  const texts: string[] = [];
  let hasSecretNames = false;

  function members(attributes: Attributes): void {
    for (const key in attributes) {
      if (names.of(key) !== null) hasSecretNames = true;
      collect(attributes[key]!);
    }
  }

  function collect(value: AttributeValue): void {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) members(value);
  }

  const resources = new Set<Attributes>();
  for (const span of spans) {
    texts.push(span.name, span.status.message);
    members(span.attributes);
    for (const event of span.events) {
      texts.push(event.name);
      members(event.attributes);
    }
    for (const link of span.links) members(link.attributes);
    resources.add(span.resource);
  }
  resources.forEach(members);
  const joined = texts.join('\n');
  return { cues: cues.filter(({ regex }) => regex.test(joined)), hasSecretNames };
}
