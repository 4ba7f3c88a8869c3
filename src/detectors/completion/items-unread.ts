import { isJsonObject, type Json, leafTexts, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import { cut, oneLine, splitSentences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { longestList } from '../_readings/calls/list-pages.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { namesPart, selectsPart } from '../_readings/conduct/whole-words.ts';
import { withoutMarks } from '../_readings/support/exact-values.ts';
import type { Verdict } from './verdict.ts';

const ANSWER_LIMIT = 1_500;
/** A statement on all or none of several things; Chinese and Japanese say "none" with "all" and a negation. */
const ALL_OR_NONE =
  /\b(?:none of|neither of|no (?:contracts?|files?|documents?|records?|items?|entries|orders?|invoices?|reports?|pages?)|all (?:of )?(?:the|these|those|your|our|its|\d{1,4})|every|each of)\b|(?<!\p{L})(?:keine[rsnm]? (?:der|von|dieser)|alle|jede[rsnm]?|sämtliche[rsn]?|ningun[oa] de|ningún|tod[oa]s l[oa]s|cada un[oa]|tou(?:s|tes) les|chacune? des?|nenhuma? d[eoa]s?|tod[oa]s [oa]s|żad(?:en|na|ne)|wszystkie|każd[yae]|ни од(?:ин|на|но)|все|каждый|каждая)(?!\p{L})|(?<!\p{L})aucune? d(?:es?|['’])|都|所有|全部|没有一|すべて|全て|どの[^。]{1,12}も|いずれ/iu;
const MIN_ITEMS = 3;
const MAX_ITEMS = 500;
const MIN_OPENED = 2;
const KEY_LIMIT = 80;

interface OpenedPart {
  list: ToolUse;
  keys: readonly string[];
  opened: readonly ToolUse[];
  unread: readonly string[];
  /** Whether the answer states the number of the keys. */
  isCounted: boolean;
}

/**
 * A result names items by keys of one form, some of them were opened one by one with the same tool, and the answer says
 * something of all or none of them. Null if another call may have read the rest, or if the answer names a part.
 */
export function itemsUnread(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.codingSession !== undefined) return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || answer.text.length > ANSWER_LIMIT) return null;
  if (!ALL_OR_NONE.test(answer.text) || endsWithQuestion(trace)) return null;
  const request = lastUserTurn(trace)?.text ?? trace.task ?? '';
  if (selectsPart(request)) return null;
  const part = openedPart(
    toolUses(trace).filter(({ step }) => step <= answer.step),
    answer.text,
  );
  if (part === null || part.unread.some((key) => request.includes(key) || answer.text.includes(key))) return null;
  const sentence = splitSentences(answer.text.trim()).find((each) => ALL_OR_NONE.test(each) && !namesPart(each));
  if (
    sentence === undefined ||
    namesPart(answer.text) ||
    part.opened.some(({ arguments: args }) => keysIn(args).some((key) => sentence.includes(key)))
  )
    return null;
  return verdictOf(trace, part, answer, oneLine(sentence));
}

/**
 * The list of keys that calls of one tool opened in part; null if any other call follows it. If the answer states the number of the
 * keys, they may be names, and several tools may have opened them.
 */
function openedPart(uses: readonly ToolUse[], answer: string): OpenedPart | null {
  for (const [at, list] of uses.entries()) {
    const later = uses.slice(at + 1);
    const [first] = later;
    if (first === undefined || later.some(({ name, command }) => name === list.name || command !== null)) continue;
    if (list.isError || list.command !== null) continue;
    const names = namesIn(list.resultText);
    const isCounted = names.length >= MIN_ITEMS && claimsAllOf(answer, names.length);
    if (!isCounted && later.some(({ name }) => name !== first.name)) continue;
    const keys = isCounted ? names : keysOf(list.resultText);
    const opened = later.filter((use) => keysIn(use.arguments).filter((key) => keys.includes(key)).length === 1);
    const read = new Set(opened.flatMap(({ arguments: args }) => keysIn(args).filter((key) => keys.includes(key))));
    const unread = keys.filter((key) => !read.has(key));
    if (opened.length !== later.length || read.size < MIN_OPENED || unread.length === 0) continue;
    return opened.some(({ resultText }) => unread.some((key) => resultText.includes(key)))
      ? null
      : { list, keys, opened, unread, isCounted };
  }
  return null;
}

const ALL_COUNTED =
  /\ball (?:of )?(?:the |these |those |your |our )?(\d{1,4})(?!\d)|(?<!\p{L})(?:alle|sämtliche|tod[oa]s l[oa]s|tou(?:s|tes) les|tutt[ie] [gl]l?i|tutte le|tod[oa]s [oa]s|wszystkie|все) (\d{1,4})(?!\d)|(?:所有|全部|すべての|全)\s?(\d{1,4})(?!\d)/giu;

/** Whether a text speaks of all of this number of things. */
function claimsAllOf(text: string, count: number): boolean {
  return Array.from(text.matchAll(ALL_COUNTED), ([, ...groups]) => Number(groups.find(Boolean))).includes(count);
}

/** The items of a list, if all are different names without spaces. */
function namesIn(resultText: string): string[] {
  const value = parseJson(resultText);
  const items = value === undefined ? linesOf(resultText) : longestList(value).flatMap(keyOf);
  if (items.length < MIN_ITEMS || items.length > MAX_ITEMS) return [];
  const names = items.map((item) => (typeof item === 'string' ? item.trim() : ''));
  const isName = names.every((name) => /^[\p{L}\d_./#-]{2,80}$/u.test(name));
  return isName && new Set(names).size === names.length ? names : [];
}

/** The same, if all are keys of one form (`K-101`, `K-102`): names may say which items matter. */
function keysOf(resultText: string): string[] {
  const keys = namesIn(resultText);
  const forms = new Set(keys.map((key) => key.replace(/\d/g, '0')));
  return forms.size === 1 && keys.every((key) => /\d/.test(key)) ? keys : [];
}

/** The lines of a list, or the parts of one line, without bullets and punctuation. */
function linesOf(text: string): string[] {
  const lines = text.trim().split('\n');
  return (lines.length === 1 ? text.split(/[,;、，；،؛|]/) : lines).map((line) => withoutMarks(line.trim()));
}

/** The key of an item with one field, or the item itself. */
function keyOf(item: Json): Json[] {
  if (!isJsonObject(item)) return [typeof item === 'number' ? String(item) : item];
  const values = Object.values(item);
  return values.length === 1 ? [String(values[0])] : [null];
}

function keysIn(args: Json): string[] {
  return leafTexts(args).map((text) => withoutMarks(text.slice(0, KEY_LIMIT).trim()));
}

function verdictOf(
  trace: Trace,
  { list, keys, opened, unread, isCounted }: OpenedPart,
  { step, agent }: { step: number; agent: string | null },
  sentence: string,
): Verdict {
  const name = agent ?? trace.steps[step]!.name;
  const tool = opened[0]!.name;
  const read = keys.length - unread.length;
  const shown = unread.slice(0, 3).join(', ');
  const rest = unread.length > 3 ? ', …' : '';
  const done = isCounted
    ? `later calls have ${read} of them as an argument. No call has ${shown}${rest}.`
    : `${tool} opened ${read} of them. No call opens ${shown}${rest}.`;
  return {
    subtype: 'items_unread',
    score: 0.68,
    step,
    steps: [step, list.step, ...opened.map((use) => use.step)],
    agent,
    explanation: `The result of ${list.name} at step ${list.step} names ${keys.length} items, and ${done} The answer of ${name} at step ${step} says "${cut(sentence, 140)}".`,
    suggestedAction: `Have ${name} ${isCounted ? `call ${tool} for` : 'open'} ${shown}${unread.length > 3 ? ' and the others' : ''}, or say that it ${isCounted ? 'did' : 'read'} ${read} of ${keys.length} items.`,
    evidence: [
      { kind: 'text', step, path: 'output', quote: sentence },
      { kind: 'call', step: list.step, path: 'tool.result', quote: cut(oneLine(list.resultText), 200) },
    ],
    fix: checkFix('workflow_change', {
      title: `Compare the opened items with the result of ${list.name}`,
      target: `final answer of ${name}`,
      description: `Before an answer about all items is sent, compare the keys that ${list.name} returned with those that were passed to ${tool}. Hand the missing keys back to ${name}.`,
      after: `if a key of ${list.name} was not passed to ${tool}: return the missing keys instead of the answer`,
      why: 'The answer covers items that no call opened.',
    }),
    key: `${name} ${list.name}`,
  };
}
