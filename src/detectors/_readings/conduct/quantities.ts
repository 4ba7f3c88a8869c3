/** A number with its unit next to the name of a thing: `Oslo: 3 days`, `3 days in Oslo`, `a 3-day stay in Oslo`. */
export interface Quantity {
  /** Name in lower case. */
  name: string;
  value: number;
  /** Lower case, without a plural s. */
  unit: string;
  /** The words from the name to the unit, unmodified. */
  quote: string;
}

interface Token {
  text: string;
  at: number;
  isBreak: boolean;
}

const MAX_TEXT_LENGTH = 20_000;
/** Largest number of words between a name and its number. */
const MAX_WORD_DISTANCE = 5;
const TOKEN = /\d+(?:[.,]\d+)*|[\p{L}_][\p{L}\p{N}_]*|[.,;|()!?\n]/gu;
/** A number before a unit, with no other word or break in between; most texts have none and are not cut into words. */
const HAS_MEASURE = /\d[^\p{L}\d_.,;|()!?\n]*\p{Ll}{3}/u;
const NUMBER = /^\d+(?:\.\d+)?$/;
const UNIT = /^\p{Ll}{3,20}$/u;
const BREAKS: ReadonlySet<string> = new Set('.,;|()!?\n');
/** A name in the middle of a sentence, or an identifier. */
const NAME = /^\p{Lu}\p{Ll}{2,}$|^\p{L}+_[\p{L}\p{N}_]*\d$/u;
/** An opening bracket may separate a name from its number; other brackets end a clause. */
const SKIPPED_BRACKET = '(';

/**
 * Quantities of named things in a text. Each number belongs to the nearest name of its clause; if two are equally near, to
 * none. Any capitalised word inside a sentence counts as a name, unless `names` (lower case) lists the names.
 */
export function quantitiesIn(text: string, names: ReadonlySet<string> | null = null): Quantity[] {
  if (!HAS_MEASURE.test(text)) return [];
  const tokens = tokensOf(text.slice(0, MAX_TEXT_LENGTH));
  const isName = (at: number) => isNameAt(tokens, at, names);
  const measures = [...tokens.keys()].filter((at) => isMeasure(tokens, at));
  const units = new Set(measures.map((at) => singular(tokens[at + 1]!.text)));
  return measures.flatMap((at): Quantity[] => {
    if (isOrdinal(tokens, at, units)) return [];
    const unit = tokens[at + 1]!;
    const left = nearest(tokens, isName, at, -1);
    const right = nearest(tokens, isName, at + 1, 1);
    const nameAt = nearer(left, right, at);
    if (nameAt === null) return [];
    const [from, to] = nameAt < at ? [nameAt, at + 1] : [at, nameAt];
    const quote = text.slice(tokens[from]!.at, tokens[to]!.at + tokens[to]!.text.length).replace(/\s+/g, ' ');
    return [
      { name: tokens[nameAt]!.text.toLowerCase(), value: Number(tokens[at]!.text), unit: singular(unit.text), quote },
    ];
  });
}

/** A number followed by a word that can be its unit. */
function isMeasure(tokens: readonly Token[], at: number): boolean {
  return NUMBER.test(tokens[at]!.text) && UNIT.test(tokens[at + 1]?.text ?? '');
}

/** `day 9`: the unit before the number makes it an ordinal. */
function isOrdinal(tokens: readonly Token[], at: number, units: ReadonlySet<string>): boolean {
  return units.has(singular((tokens[at - 1]?.text ?? '').toLowerCase()));
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: token,
    at: index,
    isBreak: BREAKS.has(token),
  }));
}

function isNameAt(tokens: readonly Token[], at: number, names: ReadonlySet<string> | null): boolean {
  const { text } = tokens[at]!;
  if (names !== null) return names.has(text.toLowerCase());
  const before = tokens[at - 1];
  return NAME.test(text) && before !== undefined && !/^[.!?\n]$/.test(before.text);
}

/** Position of the nearest name in one direction, within the clause and before the next number. */
function nearest(tokens: readonly Token[], isName: (at: number) => boolean, from: number, step: 1 | -1): number | null {
  let passed = 0;
  for (let at = from + step; at >= 0 && at < tokens.length && passed <= MAX_WORD_DISTANCE; at += step) {
    const { text, isBreak } = tokens[at]!;
    if (isBreak && (step === 1 || text !== SKIPPED_BRACKET)) return null;
    if (NUMBER.test(text)) return null;
    if (isName(at)) return at;
    if (!isBreak) passed += 1;
  }
  return null;
}

function nearer(left: number | null, right: number | null, at: number): number | null {
  if (left === null || right === null) return left ?? right;
  const [before, after] = [at - left, right - at - 1];
  if (before === after) return null;
  return before < after ? left : right;
}

function singular(unit: string): string {
  return unit.length > 3 ? unit.replace(/s$/, '') : unit;
}
