import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';

/**
 * Whether a result contains data rather than a receipt, judged by its form: a list with entries, a record with several values
 * that the arguments do not contain, or a long text. A receipt states an id, a state or a count, or repeats the arguments.
 */
export function returnedData(use: ToolUse): boolean {
  return returnedList(use) || hasManyValues(use);
}

/** Whether a result is a list of records or texts, or a record with such a list. */
export function returnedList({ resultText, isError }: ToolUse): boolean {
  const value = isError ? undefined : jsonOf(resultText.trim());
  return value !== undefined && (hasEntries(value) || (isJsonObject(value) && Object.values(value).some(hasEntries)));
}

function hasManyValues({ resultText, argumentsText, isError }: ToolUse): boolean {
  if (isError) return false;
  const text = resultText.trim();
  const value = jsonOf(text);
  if (value === undefined) return text.length >= MIN_TEXT_LENGTH && !argumentsText.includes(text);
  const leaves = leavesOf(value);
  const own = leaves.filter((leaf) => !argumentsText.includes(leaf));
  return own.length >= MIN_OWN_VALUES || own.some((leaf) => leaf.length >= MIN_TEXT_LENGTH);
}

function jsonOf(text: string): Json | undefined {
  return /^[[{]/.test(text) ? parseJson(text) : undefined;
}

/** Shorter texts may confirm an act: `Your order is confirmed. It arrives on Tuesday.` */
const MIN_TEXT_LENGTH = 120;
/** A receipt has an id, a state, a time and a count at most. */
const MIN_OWN_VALUES = 5;
const MAX_LEAVES = 100;

/** A list of records, or of texts. A list of numbers may be the ids of what was created. */
function hasEntries(value: Json): boolean {
  return Array.isArray(value) && value.some((entry) => typeof entry === 'string' || isJsonObject(entry));
}

function leavesOf(value: Json, leaves: string[] = []): string[] {
  if (leaves.length > MAX_LEAVES) return leaves;
  if (Array.isArray(value) || isJsonObject(value)) for (const member of Object.values(value)) leavesOf(member, leaves);
  else leaves.push(`${value}`);
  return leaves;
}
