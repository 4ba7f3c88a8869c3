import { textsAmong } from '../_readings/calls/argument-roles.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { STOP_WORDS } from '../_readings/support/stop-words.ts';

/** Names that results list and that no call requested. */
export interface OfferedNames {
  /** At most five. Names that share words with the request come first. */
  names: readonly string[];
  steps: readonly number[];
  /** Those of the names that the first of the steps lists. */
  first: readonly string[];
}

const MAX_RESULT_LENGTH = 1_000;
const MIN_NAMES = 2;
const MIN_WORD_LENGTH = 3;

/**
 * @param uses calls whose results say that nothing was found
 * @param task the user's question, whose words count like those of the queries; may be empty
 */
export function offeredNames(uses: readonly ToolUse[], all: readonly ToolUse[], task: string): OfferedNames | null {
  const requested = new Set(all.flatMap(requestedTexts).map((text) => text.toLowerCase()));
  const lists = uses
    .filter(({ resultText }) => resultText.length <= MAX_RESULT_LENGTH)
    .map(({ step, resultText }) => ({ step, names: listedNames(resultText) }))
    .filter(({ names }) => names.length >= MIN_NAMES)
    .map(({ step, names }) => ({ step, names: names.filter((name) => !requested.has(name.toLowerCase())) }));
  const steps = new Map<string, number>();
  for (let at = 0; lists.some((list) => at < list.names.length); at += 1)
    for (const { step, names } of lists) {
      const name = names[at];
      if (name !== undefined && !steps.has(name)) steps.set(name, step);
    }
  if (steps.size === 0) return null;
  const wanted = wordsOf([task, ...uses.flatMap(requestedTexts)].join('\n'));
  const names = relatedFirst([...steps.keys()], wanted);
  const listed = [...new Set(names.map((name) => steps.get(name)!))].sort((a, b) => a - b);
  return { names, steps: listed, first: names.filter((name) => steps.get(name) === listed[0]) };
}

const MIN_RELATED = 2;
const MAX_NAMES = 5;
const MAX_UNRELATED = 3;
/** A word of this length also counts within a longer one. */
const MIN_PART_LENGTH = 4;

/** Names that share words with the request, or the first names if hardly any do. */
function relatedFirst(names: readonly string[], wanted: readonly string[]): string[] {
  const isWanted = (word: string) =>
    wanted.some((one) => one === word || (one.length >= MIN_PART_LENGTH && word.includes(one)));
  const shared = new Map(names.map((name) => [name, wordsOf(name).filter(isWanted).length]));
  const sorted = names.toSorted((a, b) => shared.get(b)! - shared.get(a)!);
  const related = sorted.filter((name) => shared.get(name)! > 0);
  return related.length >= MIN_RELATED ? related.slice(0, MAX_NAMES) : sorted.slice(0, MAX_UNRELATED);
}

/** The texts that a call passed, without quotation marks around them. */
export function requestedTexts({ arguments: args }: ToolUse): string[] {
  return (typeof args === 'string' ? [args] : textsAmong(args)).map((text) => unquoted(text.trim()));
}

function unquoted(text: string): string {
  return text.replace(/^(["'])((?:(?!\1).){1,400})\1$|^“([^“”]{1,400})”$/s, '$2$3');
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH && !STOP_WORDS.has(word));
}

/** The start of a list of quoted items, or an empty list. */
const LIST = /\[(?=\s{0,4}["'\]])/g;
/** What follows the quotation mark that ends an item. */
const ITEM_END = /^\s{0,4}(?:\]|,\s{0,4}["'])/;
const MAX_NAME_LENGTH = 80;

/** The items of the last list in a text: `['a', "b's"]`, as Python and JSON write it. */
export function listedNames(text: string): string[] {
  const start = [...text.matchAll(LIST)].at(-1)?.index;
  if (start === undefined) return [];
  const names: string[] = [];
  for (let at = start + 1; at < text.length; at += 1) {
    const quote = text[at]!;
    if (quote === ']') break;
    if (quote !== '"' && quote !== "'") continue;
    const end = itemEnd(text, at + 1, quote);
    if (end < 0) break;
    const name = text.slice(at + 1, end).replace(/\\(["'\\])/g, '$1');
    if (name.length > 1 && name.length <= MAX_NAME_LENGTH && !name.includes('\n')) names.push(name);
    at = end;
  }
  return names;
}

/** The position of the quotation mark that ends the item, or -1. An apostrophe in the item does not end it. */
function itemEnd(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1))
    if (text[at - 1] !== '\\' && ITEM_END.test(text.slice(at + 1, at + 12))) return at;
  return -1;
}
