import type { CueScanner } from './cue-scanner.ts';
import { isDisguised } from './disguise.ts';
import { hasEncodedText } from './encoded-text.ts';
import { BROKEN_KEY_CUE } from './key-finder.ts';
import type { Pattern } from './pattern.ts';
import { TextTable } from './text-table.ts';

/** Why a text may hold a secret. */
export interface TextLook {
  /** Those that a cue of the text belongs to, in the order they are tried. */
  patterns: readonly Pattern[];
  /** It has characters that do not show or are spelt out. */
  isDisguised: boolean;
  mayHaveBrokenKey: boolean;
  hasEncoded: boolean;
}

export interface LookRules {
  patterns: readonly Pattern[];
  cues: CueScanner;
}

/** The shortest text any pattern fires on. */
const SHORTEST = 6;
/** Shorter texts are looked at together: a look at each would cost more for the call than for the characters. */
const SHORT = 200;

/**
 * Looks at texts, each once however often it occurs. It lives as long as one call: nothing of a body is kept for the
 * next.
 */
export class TextLooks {
  readonly #rules: LookRules;
  readonly #known = new TextTable<TextLook | null>();
  #waiting: string[] = [];
  #hasSuspect = false;

  constructor(rules: LookRules) {
    this.#rules = rules;
  }

  /** Null where nothing in the text may be a secret. */
  of(text: string): TextLook | null {
    if (text.length < SHORTEST) return null;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const look = lookAt(text, this.#rules);
    this.#known.set(text, look);
    return look;
  }

  /** A text that `hasSuspect` is about, and that `of` may be asked for later. */
  expect(text: string): void {
    if (text.length < SHORTEST) return;
    const known = text.length < SHORT ? this.#known.get(text) : this.of(text);
    if (known === undefined) this.#waiting.push(text);
    else if (known !== null) this.#hasSuspect = true;
  }

  /** Whether some text since the last call may hold a secret. */
  hasSuspect(): boolean {
    const waiting = this.#waiting;
    // Cues have no anchors, so a text that holds one is never missed among others.
    if (waiting.length > 0) {
      this.#waiting = [];
      if (lookAt(waiting.join('\n\n'), this.#rules) === null) for (const text of waiting) this.#known.set(text, null);
      else this.#hasSuspect = true;
    }
    const has = this.#hasSuspect;
    this.#hasSuspect = false;
    return has;
  }
}

export function patternsFor(text: string, { patterns, cues }: LookRules): readonly Pattern[] {
  return patternsOf(cues.find(text), patterns);
}

function lookAt(text: string, { patterns, cues }: LookRules): TextLook | null {
  const found = cues.find(text);
  const look = {
    patterns: patternsOf(found, patterns),
    isDisguised: isDisguised(text),
    mayHaveBrokenKey: found.has(BROKEN_KEY_CUE),
    hasEncoded: hasEncodedText(text),
  };
  return found.size === 0 && !look.isDisguised && !look.hasEncoded ? null : look;
}

function patternsOf(found: ReturnType<CueScanner['find']>, patterns: readonly Pattern[]): readonly Pattern[] {
  if (found.size === 0) return [];
  const suspects = new Set<Pattern>();
  for (const cue of found) for (const pattern of cue.patterns) suspects.add(pattern);
  return suspects.size === 0 ? [] : patterns.filter((pattern) => suspects.has(pattern));
}
