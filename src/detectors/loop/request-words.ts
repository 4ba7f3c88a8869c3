import { isJsonObject, type Json } from '../../core/json.ts';
import { words } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { withoutMarks } from '../_readings/support/exact-values.ts';

/** The subject of a read, without its location. */
export interface Request {
  words: ReadonlySet<string>;
  /** The words in order. */
  sequence: readonly string[];
  /** Files, folders and pages that are read or searched. Another source is another request. */
  source: string;
  /** Whether it is a regular expression or glob. */
  isPattern: boolean;
}

const QUERY_ARGUMENTS = ['query', 'queries', 'q', 'search_query', 'search_term', 'question', 'keywords', 'search'];
const PATTERN_ARGUMENTS = ['pattern', 'regex', 'glob', 'glob_pattern', 'expression'];

/**
 * The words of a read: of its query or pattern if it has one, else of all its arguments. Numbers and argument names do not
 * make two searches similar, and a text without spaces is a name, not a wording.
 */
export function requestOf({ arguments: args }: ToolUse): Request {
  const source = sourcesIn(args).join('\n');
  if (!isJsonObject(args)) return toRequest(wordsOf(args), source, false);
  const named = (names: readonly string[]) => names.flatMap((name) => args[name] ?? []);
  const queries = named(QUERY_ARGUMENTS);
  const patterns = named(PATTERN_ARGUMENTS);
  const values = queries.length > 0 ? queries : patterns.length > 0 ? patterns : Object.values(args);
  return toRequest(values.flatMap(wordsOf), source, queries.length === 0 && patterns.length > 0);
}

function toRequest(sequence: readonly string[], source: string, isPattern: boolean): Request {
  return { words: new Set(sequence), sequence, source, isPattern };
}

/** A path without spaces (absolute, in the home folder, relative with a slash, or on a drive), or an address. */
const PLACE =
  /^(?:(?:\/|~\/|\.{1,2}(?:\/|$)|[A-Za-z]:[\\/])\S*|[\w.@-]+(?:[\\/][\w.@-]+)+|[a-z][a-z0-9+.-]{1,12}:\/\/\S+|[\w-]+\.[a-z]{1,5})$/i;

/** Every location in the arguments: whole values, and words of a command. */
function sourcesIn(value: Json): string[] {
  if (typeof value === 'string')
    return value
      .trim()
      .split(/\s+/)
      .map(withoutMarks)
      .filter((word) => PLACE.test(word));
  if (Array.isArray(value)) return value.flatMap(sourcesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(sourcesIn) : [];
}

const SCRIPT_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(value: Json): string[] {
  if (typeof value === 'string') {
    const text = value.trim();
    if (SCRIPT_WITHOUT_SPACES.test(text)) return pairsOf(text);
    if (!/\s/.test(text)) return text === '' ? [] : [text.toLowerCase()];
    return words(text).filter((word) => /\p{L}/u.test(word));
  }
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(wordsOf) : [];
}

/** Pairs of characters replace words in scripts without spaces. */
function pairsOf(text: string): string[] {
  const letters = words(text).join('');
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));
}
