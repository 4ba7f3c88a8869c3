import type { CueScanner } from './cue-scanner.ts';
import { isDisguised } from './disguise.ts';
import { hasEncodedText } from './encoded-text.ts';
import { BROKEN_KEY_CUE } from './key-finder.ts';
import type { Pattern } from './pattern.ts';
import { TextTable } from './text-table.ts';
import { unitsOf } from './text-units.ts';

/** Reasons why a text may contain a secret. */
export interface TextSuspicion {
  /** Patterns whose cue occurs in the text, in the order in which they are tried. */
  patterns: readonly Pattern[];
  /** Whether it contains invisible or escaped characters. */
  isDisguised: boolean;
  mayHaveBrokenKey: boolean;
  hasEncoded: boolean;
}

export interface SuspicionRules {
  patterns: readonly Pattern[];
  cues: CueScanner;
}

/** Length of the shortest text that a pattern matches. */
const MIN_LENGTH = 6;
/** Number of texts of a span that are tested together; most groups of this size contain nothing suspicious. */
const GROUP_LENGTH = 24;

/** Tests texts, each once however often it occurs. It lives for one call: nothing of a body is kept for the next. */
export class SuspicionCache {
  readonly #rules: SuspicionRules;
  readonly #known = new TextTable<TextSuspicion | null>();

  constructor(rules: SuspicionRules) {
    this.#rules = rules;
  }

  /** Null if nothing in the text can be a secret. */
  of(text: string): TextSuspicion | null {
    if (text.length < MIN_LENGTH) return null;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const suspicion = inspect(text, this.#rules);
    this.#known.set(text, suspicion);
    return suspicion;
  }

  /** Tests the texts in groups, so that `of` need not test each of them. */
  learn(texts: readonly string[]): void {
    const different = [...new Set(texts)].filter((text) => this.#known.get(text) === undefined);
    for (let from = 0; from < different.length; from += GROUP_LENGTH) {
      const group = different.slice(from, from + GROUP_LENGTH);
      if (this.areClean(group)) for (const text of group) this.#known.set(text, null);
    }
  }

  /** Whether no text can contain a secret. Cues have no anchors, so joining texts hides none. */
  areClean(texts: readonly string[]): boolean {
    return texts.length === 0 || inspect(texts.join('\n\n'), this.#rules) === null;
  }
}

export function patternsFor(text: string, { patterns, cues }: SuspicionRules): readonly Pattern[] {
  return patternsOf(cues.find(text), patterns);
}

function inspect(text: string, { patterns, cues }: SuspicionRules): TextSuspicion | null {
  const units = unitsOf(text);
  const found = cues.find(text, units);
  const hasEncoded = hasEncodedText(text, units);
  const isHidden = isDisguised(text);
  if (found.size === 0 && !hasEncoded && !isHidden) return null;
  return {
    patterns: patternsOf(found, patterns),
    isDisguised: isHidden,
    mayHaveBrokenKey: found.has(BROKEN_KEY_CUE),
    hasEncoded,
  };
}

function patternsOf(found: ReturnType<CueScanner['find']>, patterns: readonly Pattern[]): readonly Pattern[] {
  if (found.size === 0) return [];
  const suspects = new Set<Pattern>();
  for (const cue of found) for (const pattern of cue.patterns) suspects.add(pattern);
  return suspects.size === 0 ? [] : patterns.filter((pattern) => suspects.has(pattern));
}
