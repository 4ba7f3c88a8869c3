import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { wordCount } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { withoutMarks } from '../support/exact-values.ts';

/** Kinds of results of a run's calls, judged only by their form. */
export interface ResultKinds {
  /** Whether the result at most confirms that the call was carried out, judged by all results of its tool. */
  isAcknowledged(use: ToolUse): boolean;
  /**
   * A call that may be repeated on purpose: it is acknowledged, and its arguments contain no prose. Clicking, scrolling,
   * rolling dice and adding another item are like this. Shell commands are not: their output is their result.
   */
  isAcknowledgedAct(use: ToolUse): boolean;
}

/**
 * Classifies the tools of a run, and the actions of a tool that has several. A tool that returned a descriptive result, or different results for different arguments,
 * is a read: its short results are answers.
 */
export const resultKindsOf = memoizeByRef((uses: readonly ToolUse[]): ResultKinds => {
  const actionOf = actionsIn(uses);
  const describing = describingActions(uses, actionOf);
  const isAcknowledged = (use: ToolUse) => !describing.has(actionOf(use)) && isShortResult(use);
  return {
    isAcknowledged,
    isAcknowledgedAct: (use) => use.command === null && isAcknowledged(use) && !hasWording(use.arguments),
  };
});

type ActionOf = (use: ToolUse) => string;

function describingActions(uses: readonly ToolUse[], actionOf: ActionOf): ReadonlySet<string> {
  const describing = new Set<string>();
  const first = new Map<string, ToolUse>();
  for (const use of uses) {
    const action = actionOf(use);
    if (use.isError || !use.hasResult || describing.has(action)) continue;
    const other = first.get(action) ?? use;
    first.set(action, other);
    if (!isShortResult(use) || (differs(other, use) && !echoes(use) && !echoes(other))) describing.add(action);
  }
  return describing;
}

/** The name of a tool, with the action if an argument selects one: `computer scroll`, `computer screenshot`. */
function actionsIn(uses: readonly ToolUse[]): ActionOf {
  const selectors = new Map(
    [...Map.groupBy(uses, ({ name }) => name)].map(([name, calls]) => [name, selectorOf(calls)]),
  );
  return ({ name, arguments: args }) => {
    const selector = selectors.get(name) ?? null;
    return selector === null || !isJsonObject(args) ? name : `${name} ${args[selector]}`;
  };
}

const ACTION_NAME = /^\p{L}[\p{L}_-]{1,29}$/u;

/** The argument whose value determines which other arguments the calls of a tool have; null if there is none. */
function selectorOf(calls: readonly ToolUse[]): string | null {
  const records = calls.flatMap(({ arguments: args }) => (isJsonObject(args) ? [args] : []));
  if (records.length < calls.length) return null;
  const keys = Object.keys(records[0]!).filter((key) =>
    records.every((record) => typeof record[key] === 'string' && ACTION_NAME.test(record[key])),
  );
  const isSelector = (key: string) => {
    const groups = [...Map.groupBy(records, (record) => record[key]).values()];
    const forms = groups.map((group) => new Set(group.map((record) => Object.keys(record).sort().join(' '))));
    return forms.every(({ size }) => size === 1) && new Set(forms.map(([form]) => form)).size > 1;
  };
  return keys.find(isSelector) ?? null;
}

function differs(one: ToolUse, other: ToolUse): boolean {
  return one.resultText !== other.resultText && one.argumentsText !== other.argumentsText;
}

/** A result of this many words is an acknowledgement or a value. */
const FEW_WORDS = 3;
const FEW_CHARACTERS = 40;
/** A longer text is descriptive. */
const MAX_WORDS = 7;
/** The same limit for a text that repeats a value of the arguments. */
const MAX_WORDS_OF_ECHO = 12;
/** Longer on average: an address, a hash or a script without spaces. */
const MAX_WORD_LENGTH = 12;
const MAX_LEAVES = 3;

/** Whether a result is not descriptive: empty, a value, a short text, or a small record without numbers of its own. */
function isShortResult(use: ToolUse): boolean {
  if (use.isError) return false;
  if (!use.hasResult) return true;
  const text = use.resultText.trim();
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? isShortText(text, use) : isSmallRecord(value, use);
}

function isShortText(text: string, use: ToolUse): boolean {
  if (text.length > MAX_WORDS_OF_ECHO * MAX_WORD_LENGTH || text.includes('\n')) return false;
  const count = wordCount(text);
  if (count <= FEW_WORDS && text.length <= FEW_CHARACTERS) return true;
  const limit = echoes(use) ? MAX_WORDS_OF_ECHO : MAX_WORDS;
  return count <= limit && text.length <= count * MAX_WORD_LENGTH && hasNoNewFigure(text.split(/\s+/), use);
}

function hasNoNewFigure(words: readonly string[], { argumentsText }: ToolUse): boolean {
  return words.every((word) => !/\d/.test(word) || argumentsText.includes(withoutMarks(word)));
}

/** Whether the result repeats a value of the arguments. */
export function echoes({ arguments: args, resultText }: ToolUse): boolean {
  return leavesOf(args).some((leaf) => typeof leaf === 'string' && leaf.length >= 2 && resultText.includes(leaf));
}

/** Whether a value is a small record. An empty list or record means that nothing was found, unless a flag is next to it. */
function isSmallRecord(value: Json, use: ToolUse): boolean {
  const leaves = leavesOf(value);
  if (leaves.length === 0 || leaves.length > MAX_LEAVES) return false;
  if (hasEmpty(value) && !leaves.some((leaf) => typeof leaf === 'boolean')) return false;
  return leaves.length === 1
    ? typeof leaves[0] !== 'string' || isShortText(leaves[0], use)
    : leaves.every((leaf) => (typeof leaf === 'string' ? isShortText(leaf, use) : typeof leaf !== 'number'));
}

function hasEmpty(value: Json): boolean {
  if (!Array.isArray(value) && !isJsonObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(hasEmpty);
}

function leavesOf(value: Json, leaves: Json[] = []): Json[] {
  if (leaves.length > MAX_LEAVES) return leaves;
  if (Array.isArray(value) || isJsonObject(value)) for (const member of Object.values(value)) leavesOf(member, leaves);
  else leaves.push(value);
  return leaves;
}

/** Text of this many words is a question or message; shorter text names a thing, a place or a button. */
const MIN_WORDS = 4;

export function hasWording(value: Json): boolean {
  if (typeof value === 'string')
    return value.trim().split(/\s+/).length >= MIN_WORDS || /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{8}/.test(value);
  if (Array.isArray(value)) return value.some(hasWording);
  return isJsonObject(value) && Object.values(value).some(hasWording);
}
