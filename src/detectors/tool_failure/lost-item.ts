import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { oneLine, splitSentences, words } from '../_kit/text.ts';
import { writtenNumber } from '../_kit/written-numbers.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { admissionIn } from './admission.ts';
import type { Failure } from './failure.ts';

/** An item of a list whose call failed, and the sentence of the last answer that claims all items. */
export interface LostItem {
  value: string;
  claim: string;
}

/** Fewer items are no list. */
const MIN_ITEMS = 3;
/** Words for all items, in front of what they are. */
const ALL =
  /(?<!\p{L})(?:all|every|each|alle[rsn]?|sämtliche[rn]?|tou(?:s|tes)|tod[oa]s|tutt[ie]|все|wszystkie)(?!\p{L})|所有|全部|すべて|全て|모든|모두/iu;
const OF_ALL = /(?<!\d)(\d{1,4}) (?:of|out of|von|de|di|van|из) (\d{1,4})(?!\d)/i;

/**
 * The first failed item of a list that the run worked on, if no call that worked has it among its arguments and the last answer says
 * that all items are done. The calls differ in one argument, and an earlier text names the items together or the answer
 * gives their number: a corrected argument is no other item.
 */
export function lostItem(trace: Trace, failures: readonly Failure[]): LostItem | null {
  const last = failures[failures.length - 1]!;
  const answer = agentTurns(trace).at(-1);
  if (!isWhole(trace) || last.what !== 'tool' || answer === undefined || answer.step < last.step) return null;
  const task = trace.task ?? '';
  const admission = admissionIn(answer.text, { error: last.text.message, known: task, language: task });
  if (admission === 'admits' || admission === 'unclear') return null;
  const uses = toolUses(trace);
  const calls = uses.filter(({ name, command }) => name === last.name && command === null);
  const key = itemKey(calls);
  if (key === null) return null;
  const items = [...new Set(calls.map((use) => valueAt(use, key)!))];
  const lost = failures
    .flatMap(({ step }) => calls.filter((use) => use.step === step).map((use) => valueAt(use, key)!))
    .find((value) => !answer.text.includes(value) && !uses.some((use) => use.failure === null && contains(use, value)));
  if (lost === undefined) return null;
  const done = items.filter((value) => calls.some((use) => use.failure === null && valueAt(use, key) === value));
  if (done.length < MIN_ITEMS - 1) return null;
  const areListed = areNamedTogether(trace, lost, done, last.step);
  const claim = splitSentences(answer.text).find(
    (one) => claimsAll(one, items.length) && (numberIn(one) === items.length || (areListed && saysAllDone(one, task))),
  );
  if (claim === undefined) return null;
  return { value: lost, claim: oneLine(claim.trim()) };
}

/** The argument in which the calls of a tool differ; null if none or several do, or if the calls have other keys. */
function itemKey(calls: readonly ToolUse[]): string | null {
  const [first] = calls;
  if (calls.length < MIN_ITEMS || first === undefined || !isJsonObject(first.arguments)) return null;
  const keys = Object.keys(first.arguments);
  const varying = keys.filter((key) => new Set(calls.map((use) => valueAt(use, key))).size >= MIN_ITEMS);
  const [only, second] = varying;
  if (only === undefined || second !== undefined) return null;
  return calls.every((use) => valueAt(use, only) !== null) ? only : null;
}

const MAX_VALUE_LENGTH = 200;
const MIN_VALUE_LENGTH = 2;

function valueAt({ arguments: args }: ToolUse, key: string): string | null {
  const value = isJsonObject(args) ? args[key] : undefined;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  return text.length >= MIN_VALUE_LENGTH && text.length <= MAX_VALUE_LENGTH ? text : null;
}

function contains({ argumentsText }: ToolUse, value: string): boolean {
  return argumentsText.includes(JSON.stringify(value).slice(1, -1));
}

function claimsAll(sentence: string, count: number): boolean {
  const [, part, whole] = OF_ALL.exec(sentence) ?? [];
  if (part !== undefined) return part === whole && Number(part) === count;
  if (!ALL.test(sentence) || /[?？]\s*$/.test(sentence)) return false;
  const number = numberIn(sentence);
  return number === null || number === count;
}

/** `All photos are converted`: what the task names, and what was done with it. */
const ALL_DONE =
  /\b(?:all|every|each)(?: of)?(?: the| your| our| these| those)? (?:\p{L}{1,20} ){0,2}?(\p{L}{4,30})\b[^.!?]{0,60}\b(?:\p{L}{2,15}ed|sent|done|made|read|put|paid|built|written)\b/iu;
const STEM_LETTERS = 4;

/** Whether a sentence without a number says that something was done with all things that the task names. */
function saysAllDone(sentence: string, task: string): boolean {
  const noun = ALL_DONE.exec(sentence)?.[1]?.toLowerCase();
  return noun !== undefined && words(task).some((word) => word.startsWith(noun.slice(0, STEM_LETTERS)));
}

/** The first number of a sentence, in digits or as a word. */
function numberIn(sentence: string): number | null {
  for (const word of words(sentence)) {
    const value = /^\d{1,4}$/.test(word) ? Number(word) : writtenNumber(word);
    if (value !== undefined && value > 1) return value;
  }
  return null;
}

/** Whether one text before the failure names the failed item and at least one that was done. */
function areNamedTogether(trace: Trace, lost: string, done: readonly string[], step: number): boolean {
  const said = conversation(trace).filter((turn) => turn.step <= step);
  const results = toolUses(trace).filter((use) => use.step < step && use.failure === null);
  const texts = [trace.task ?? '', ...said.map(({ text }) => text), ...results.map(({ resultText }) => resultText)];
  return texts.some((text) => text.includes(lost) && done.some((value) => text.includes(value)));
}
