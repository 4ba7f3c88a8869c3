import { passesTokenChecksum } from './checksums.ts';
import { KEY_TABLE, type KeyShape } from './key-shapes.ts';
import type { RedactionKind } from './kinds.ts';
import { characterSet, RUN_CHARACTERS, visitRuns, WORD_CHARACTERS } from './long-runs.ts';
import type { Cue, Pattern, Secret } from './pattern.ts';
import { type TextUnits, unitsOf } from './text-units.ts';

interface Entry {
  start: string;
  regex: RegExp;
  kind: RedactionKind;
}

/** By the first two characters; a one-character prefix is listed under each matching pair. */
const ENTRIES = entriesByPair(KEY_TABLE);

/** The keys of `ENTRIES` for fast lookup. */
const PAIRS = new Uint8Array(65_536);
for (const pair of ENTRIES.keys()) PAIRS[pair] = 1;

/** One-character prefixes. */
const SHORT_STARTS = characterSet(
  KEY_TABLE.flatMap(({ starts }) => starts)
    .filter((start) => start.length === 1)
    .join(''),
);

/** Prefixes that `mayEndInKey` searches for. */
const LONG_STARTS = KEY_TABLE.flatMap(({ starts }) => starts).filter((start) => start.length > 2);

const BACKSLASH = 92;
/** The shortest prefix that is followed by a character that ends a run. */
const MIN_START_LENGTH = 3;

function entriesByPair(table: readonly KeyShape[]): ReadonlyMap<number, readonly Entry[]> {
  const entries = table.flatMap(({ starts, shape, kind = 'api_key' }) => {
    const regex = new RegExp(shape, 'y');
    return starts.map((start) => ({ start, regex, kind }));
  });
  const second = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const pairs = entries.flatMap((entry) =>
    entry.start.length > 1
      ? [{ pair: pairAt(entry.start, 0), entry }]
      : second.map((next) => ({ pair: pairAt(entry.start + next, 0), entry })),
  );
  const grouped = Map.groupBy(pairs, ({ pair }) => pair);
  return new Map([...grouped].map(([pair, group]) => [pair, group.map(({ entry }) => entry)]));
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) | text.charCodeAt(at + 1)) & 0xffff;
}

/** Possible third characters of a cue: tokens continue with these. */
const TOKEN_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789-_';
/** Tokens with a one-character prefix are long, so they are found by the length of their run. */
const MIN_WITHOUT_START_LENGTH = 59;

/** Whether the text contains a token of the table. */
export function keyCue(patterns: readonly Pattern[]): Cue {
  const starts = [...new Set(KEY_TABLE.flatMap((shape) => shape.starts))].filter((start) => start.length > 1);
  const distinct = new Set(starts.map((start) => start.slice(0, 3).toLowerCase()));
  return {
    leads: [...distinct].map((start) => ({
      start: [start.charAt(0), start.charAt(1), start.charAt(2) || TOKEN_CHARACTERS],
      isAt: (text, at) => isWordStart(text, at) && keyAt(text, at) !== null,
    })),
    test: (text, units) =>
      visitRuns(units, MIN_WITHOUT_START_LENGTH, RUN_CHARACTERS, (start, end) =>
        hasShortStart(text, units, start, end),
      ),
    patterns,
  };
}

/** Whether a token with a one-character prefix starts within the run. */
function hasShortStart(text: string, { codes }: TextUnits, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1)
    if (SHORT_STARTS[codes[at]!] === 1 && isWordStart(text, at) && keyAt(text, at) !== null) return true;
  return false;
}

/** Limit for the distance between the start of a token and a line break. */
export const MAX_PART_LENGTH = 400;

/** Whether a token of the table starts in the text and reaches a line break, or its JSON escape. */
export const BROKEN_KEY_CUE: Cue = {
  leads: [...Map.groupBy(LONG_STARTS, (start) => start.slice(0, 3))].map(([begin, starts]) => ({
    start: [begin.charAt(0), begin.charAt(1), begin.charAt(2)],
    isAt: (text, at) => reachesBreak(text, at) && starts.some((start) => text.startsWith(start, at)),
  })),
  patterns: [],
};

/** A part longer than `MAX_PART_LENGTH` is examined from that length on, even inside a word. */
function reachesBreak(text: string, at: number): boolean {
  if (isBreak(text.charCodeAt(at + MAX_PART_LENGTH))) return true;
  if (!isWordStart(text, at)) return false;
  let end = at;
  while (end - at < MAX_PART_LENGTH && RUN_CHARACTERS[text.charCodeAt(end)] === 1) end += 1;
  return isBreak(text.charCodeAt(end));
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === BACKSLASH;
}

/** Every token of the table in the text, in order. */
export function findKeys(text: string): Secret[] {
  const found: Secret[] = [];
  visitRuns(unitsOf(text), MIN_START_LENGTH, RUN_CHARACTERS, (start, end) => {
    const from = Math.max(start, found.at(-1)?.end ?? 0);
    for (let key = keyIn(text, from, end); key !== null; key = keyIn(text, key.end, end)) found.push(key);
    return false;
  });
  return found;
}

/** The first token that starts at a word boundary within the run. */
function keyIn(text: string, start: number, end: number): Secret | null {
  for (let at = start; at < end; at += 1) {
    if (PAIRS[pairAt(text, at)] !== 1 || !isWordStart(text, at)) continue;
    const key = keyAt(text, at);
    if (key !== null) return key;
  }
  return null;
}

function isWordStart(text: string, at: number, lowest = 0): boolean {
  if (WORD_CHARACTERS[text.charCodeAt(at)] !== 1) return false;
  if (at === lowest || WORD_CHARACTERS[text.charCodeAt(at - 1)] !== 1) return true;
  return at > lowest + 1 && text.charCodeAt(at - 2) === BACKSLASH && 'nrt'.includes(text.charAt(at - 1));
}

function keyAt(text: string, at: number): Secret | null {
  for (const { start, regex, kind } of ENTRIES.get(pairAt(text, at)) ?? []) {
    if (!text.startsWith(start, at)) continue;
    regex.lastIndex = at;
    const match = regex.exec(text);
    if (match === null) continue;
    // `eyJ` inside a longer token is a part of it.
    if (kind === 'jwt' && at > 0 && /[-_]/.test(text.charAt(at - 1))) continue;
    if (kind === 'jwt' || isRealToken(match[0], start)) return { start: at, end: at + match[0].length, kind };
  }
  return null;
}

/** Whether the text may end in a token that continues after a line break. */
export function mayEndInKey(text: string, start: number, end: number): boolean {
  for (let at = start; at + 2 < end; at += 1) {
    if (PAIRS[pairAt(text, at)] !== 1 || !isWordStart(text, at, start)) continue;
    const entries = ENTRIES.get(pairAt(text, at)) ?? [];
    if (entries.some((entry) => isLongStart(entry.start, text, at, end))) return true;
  }
  return false;
}

function isLongStart(start: string, text: string, at: number, end: number): boolean {
  return start.length > 2 && at + start.length <= end && text.startsWith(start, at);
}

const EXAMPLE_WORDS = /x{5}|X{5}|\*{3}|your|placeholder|dummy|redacted/i;
const FEWEST_DIFFERENT = 6;

/**
 * Whether the token is a real one. Placeholders in documentation have no digit, few different characters, or a word such as
 * `your`. A matching checksum proves a real token.
 */
export function isRealToken(token: string, start: string): boolean {
  if (passesTokenChecksum(token)) return true;
  const body = token.slice(start.length);
  if (!/\d/.test(token) || new Set(body).size < FEWEST_DIFFERENT || EXAMPLE_WORDS.test(body)) return false;
  if (start === 's.') return /[a-z]/.test(body) && /[A-Z]/.test(body);
  return start !== 'sk-' || hasRandomPiece(body);
}

/** `sk-chapter-2-of-the-plan` is a name: the parts of a token mix letters with digits, or are long. */
function hasRandomPiece(body: string): boolean {
  const mixed = body.split(/[-_]/).filter((piece) => /\d/.test(piece) && /[A-Za-z]/.test(piece));
  return mixed.length > 1 || mixed.some((piece) => piece.length >= 8) || /\d{12}/.test(body);
}
