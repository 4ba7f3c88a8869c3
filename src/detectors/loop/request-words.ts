import { isJsonObject, type Json } from '../../core/json.ts';
import type { ToolUse } from '../_kit/calls.ts';
import { words } from '../_kit/text.ts';

/** What a lookup asks for, without where it looks. */
export interface Request {
  words: ReadonlySet<string>;
  /** Page that is read; empty where the tool searches. Folders of a search do not count. */
  source: string;
  /** A regular expression or glob instead of words. */
  isPattern: boolean;
}

const QUERY_ARGUMENTS = ['query', 'queries', 'q', 'search_query', 'search_term', 'question', 'keywords', 'search'];
const PATTERN_ARGUMENTS = ['pattern', 'regex', 'glob', 'glob_pattern', 'expression'];
const SOURCE_ARGUMENTS = ['url', 'uri', 'href'];

/**
 * The words of a lookup: of its query or pattern where it has one, else of all its arguments, where a path is one word.
 * Numbers and names of arguments do not make two searches alike.
 */
export function requestOf({ arguments: args }: ToolUse): Request {
  if (!isJsonObject(args)) return { words: new Set(wordsOf(args)), source: '', isPattern: false };
  const named = (names: readonly string[]) => names.flatMap((name) => args[name] ?? []);
  const queries = named(QUERY_ARGUMENTS);
  const patterns = named(PATTERN_ARGUMENTS);
  const asked = queries.length > 0 ? queries : patterns.length > 0 ? patterns : Object.values(args);
  return {
    words: new Set(asked.flatMap(wordsOf)),
    source: named(SOURCE_ARGUMENTS)
      .filter((value) => typeof value === 'string')
      .join(' '),
    isPattern: queries.length === 0 && patterns.length > 0,
  };
}

/** A path without blanks: absolute, in the home folder, relative with a slash, or of a drive. */
const PATH = /^(?:(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])\S*|[\w.@-]+(?:[\\/][\w.@-]+)+)$/;

function wordsOf(value: Json): string[] {
  if (typeof value === 'string') {
    const text = value.trim();
    if (PATH.test(text)) return [text];
    return words(text).filter((word) => /\p{L}/u.test(word));
  }
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(wordsOf) : [];
}
