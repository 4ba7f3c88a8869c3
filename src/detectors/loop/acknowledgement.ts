import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { ToolUse } from '../_kit/calls.ts';

/** A longer text describes something. */
const MOST_WORDS = 12;
/** Scripts without blanks. */
const MOST_CHARACTERS = 80;
/** So few words are an acknowledgement or a value, whatever they are. */
const FEW_WORDS = 3;
const FEW_CHARACTERS = 40;
/** Longer on average: an address, a hash or a script without blanks. */
const LONGEST_WORD = 12;
const MOST_LEAVES = 3;

/**
 * A call whose repetition may be meant: its arguments hold no wording, and its result says no more than that it was carried
 * out. Clicking, scrolling, rolling dice and adding a further piece look like this, and so does a look-up that finds a single
 * value. Read from the form of arguments and result; no word is understood.
 */
export function isMereAct(use: ToolUse): boolean {
  return isAcknowledgement(use) && !hasWording(use.arguments);
}

/** A result that does not describe anything: nothing, a value, a short text or a small record without figures of its own. */
export function isAcknowledgement(use: ToolUse): boolean {
  if (use.isError) return false;
  if (!use.hasResult) return true;
  const text = use.resultText.trim();
  const value = /^[[{]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? isShortText(text, use.argumentsText) : isSmallRecord(value, use.argumentsText);
}

function isShortText(text: string, args: string): boolean {
  if (text.length > MOST_CHARACTERS || text.includes('\n')) return false;
  const words = text.split(/\s+/);
  if (words.length <= FEW_WORDS && text.length <= FEW_CHARACTERS) return true;
  return words.length <= MOST_WORDS && text.length <= words.length * LONGEST_WORD && hasNoNewFigure(words, args);
}

function hasNoNewFigure(words: readonly string[], args: string): boolean {
  return words.every((word) => !/\d/.test(word) || args.includes(word.replace(/^\W+|\W+$/g, '')));
}

/** An empty list or record is an answer: nothing was found. */
function isSmallRecord(value: Json, args: string): boolean {
  const leaves = leavesOf(value);
  if (leaves.length === 0 || leaves.length > MOST_LEAVES) return false;
  return leaves.length === 1
    ? typeof leaves[0] !== 'string' || isShortText(leaves[0], args)
    : leaves.every((leaf) => (typeof leaf === 'string' ? isShortText(leaf, args) : typeof leaf !== 'number'));
}

function leavesOf(value: Json, leaves: Json[] = []): Json[] {
  if (leaves.length > MOST_LEAVES) return leaves;
  if (Array.isArray(value) || isJsonObject(value)) for (const member of Object.values(value)) leavesOf(member, leaves);
  else leaves.push(value);
  return leaves;
}

/** Text of so many words is a question or a message; fewer name a thing, a place or a button. */
const FEWEST_WORDS = 4;

function hasWording(value: Json): boolean {
  if (typeof value === 'string')
    return value.trim().split(/\s+/).length >= FEWEST_WORDS || /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{8}/.test(value);
  if (Array.isArray(value)) return value.some(hasWording);
  return isJsonObject(value) && Object.values(value).some(hasWording);
}
