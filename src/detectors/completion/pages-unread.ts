import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import { type StatedNumber, statedNumbers, valuesIn } from '../_kit/number-notation.ts';
import { counted, cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { itemsIn, type ListedItem, listKey, type Rest, restOf } from '../_readings/calls/list-pages.ts';
import { admitsFailure } from '../_readings/conduct/claims.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { asksForFigure, hasSuperlative, namesPart, namesWhole, selectsPart } from '../_readings/conduct/whole-words.ts';
import type { Verdict } from './verdict.ts';

/** The number in an answer that follows from the items that were read. */
interface Figure {
  /** As written in the answer. */
  text: string;
  /** `the sum of "cents" over the 6 items that were read` */
  origin: string;
}

interface PartRead {
  /** The call with the last page that was read. */
  last: ToolUse;
  rest: Rest;
  items: readonly ListedItem[];
}

/**
 * A result says that further items exist, no call reads them, and the last answer gives a figure for the items that were read as
 * that of all: their number, the sum, mean or extreme value of a column. Null if the answer says that it is about a part.
 */
export function pagesUnread(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.codingSession !== undefined) return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || answer.text.length > ANSWER_LIMIT) return null;
  if (!/\d/.test(answer.text)) return null;
  const uses = toolUses(trace).filter(
    ({ step, command, isError }) => step <= answer.step && command === null && !isError,
  );
  const parts = partsRead(uses);
  if (parts.length === 0 || isAboutPart(answer.text) || endsWithQuestion(trace)) return null;
  const request = lastUserTurn(trace)?.text ?? trace.task ?? '';
  if (selectsPart(request)) return null;
  for (const part of parts) {
    const figure = figureOf(part, answer.text, request, uses);
    if (figure !== null) return verdictOf(trace, part, answer, figure);
  }
  return null;
}

const ANSWER_LIMIT = 2_000;

function isAboutPart(text: string): boolean {
  return namesPart(text) || admitsFailure(text);
}

/** The lists of which the last page that was read says that more follows. */
function partsRead(uses: readonly ToolUse[]): PartRead[] {
  const lists = Map.groupBy(uses, (use) => `${use.name} ${listKey(use)}`);
  return [...lists.values()].flatMap((calls) => {
    const pages = calls.length === 1 ? calls : [...new Map(calls.map((use) => [use.resultHash, use])).values()];
    if (restOf(pages.at(-1)!, 0) === null) return [];
    const items = pages.flatMap(({ resultText }) => itemsIn(resultText));
    const last = pages.at(-1)!;
    if (items.length < MIN_ITEMS || !pages.every((use) => restOf(use, items.length) !== null)) return [];
    const rest = restOf(last, items.length)!;
    const isRead = rest.next !== null && pages.some(({ argumentsText }) => hasValue(argumentsText, rest.next!));
    return isRead || (rest.total !== null && rest.total <= pages.length) ? [] : [{ last, rest, items }];
  });
}

const MIN_ITEMS = 2;

function hasValue(argumentsText: string, value: string): boolean {
  return (
    argumentsText.includes(`:${value},`) ||
    argumentsText.includes(`:${value}}`) ||
    argumentsText.includes(JSON.stringify(value))
  );
}

function figureOf(part: PartRead, answer: string, request: string, uses: readonly ToolUse[]): Figure | null {
  const { items, rest, last } = part;
  const stated = statedNumbers(answer);
  const asked = new Set(valuesIn(request));
  // The agent knows how many there are, and may say so.
  const namesTotal = rest.total !== null && stated.some(({ readings }) => readings.includes(rest.total!));
  if (asked.has(items.length) || namesTotal) return null;
  const find = (value: number, others: readonly ToolUse[]) => {
    const found = asked.has(value) ? undefined : stated.find(({ readings }) => readings.includes(value));
    return found === undefined || others.some((use) => isStated(use, value)) ? undefined : found;
  };
  const elsewhere = uses.filter(({ name }) => name !== last.name);
  return (
    computedFigure(items, (value) => find(value, uses)) ??
    countFigure(items, find(items.length, elsewhere), { request, answer }) ??
    (hasSuperlative(request) || hasSuperlative(answer) ? extremeFigure(items, (value) => find(value, elsewhere)) : null)
  );
}

const SEARCHED_CHARACTERS = 20_000;

/** Whether a result states a number: then the answer may have it from there. */
function isStated({ resultText }: ToolUse, value: number): boolean {
  return valuesIn(resultText.slice(0, SEARCHED_CHARACTERS)).includes(value);
}

type Find = (value: number) => StatedNumber | undefined;

function computedFigure(items: readonly ListedItem[], find: Find): Figure | null {
  for (const { name, values } of columnsOf(items)) {
    for (const [word, value] of aggregatesOf(values)) {
      const found = find(value);
      if (found !== undefined && isSpecific(found.text))
        return { text: found.text, origin: `the ${word} of ${name} over ${itemsRead(items)}` };
    }
  }
  return null;
}

function countFigure(
  items: readonly ListedItem[],
  found: StatedNumber | undefined,
  { request, answer }: Record<'request' | 'answer', string>,
): Figure | null {
  if (found === undefined || !(asksForFigure(request) || namesWhole(sentenceOf(answer, found.at)))) return null;
  return { text: found.text, origin: `the number of ${itemsRead(items)}` };
}

function extremeFigure(items: readonly ListedItem[], find: Find): Figure | null {
  if (items.length < MIN_COMPARED) return null;
  for (const { name, values } of columnsOf(items).filter(({ values: own }) => !isSorted(own))) {
    const [highest, lowest] = [find(Math.max(...values)), find(Math.min(...values))];
    if (highest !== undefined && lowest === undefined)
      return { text: highest.text, origin: `the highest ${name} of ${itemsRead(items)}` };
    if (lowest !== undefined && highest === undefined)
      return { text: lowest.text, origin: `the lowest ${name} of ${itemsRead(items)}` };
  }
  return null;
}

function itemsRead({ length }: readonly ListedItem[]): string {
  return `the ${counted(length, 'item')} that were read`;
}

const MIN_COMPARED = 4;

interface Column {
  name: string;
  values: readonly number[];
}

/** Columns of which each item has a number. */
function columnsOf(items: readonly ListedItem[]): Column[] {
  return Object.keys(items[0]!)
    .map((name) => ({
      name: /^\d+$/.test(name) ? `column ${name}` : `"${name}"`,
      values: items.flatMap((item) => item[name] ?? []),
    }))
    .filter(({ values }) => values.length === items.length);
}

/** A list that is sorted by a column has its extreme value on its first page. */
function isSorted(values: readonly number[]): boolean {
  const pairs = values.slice(1).map((value, at) => Math.sign(value - values[at]!));
  return !(pairs.includes(1) && pairs.includes(-1));
}

function aggregatesOf(values: readonly number[]): [word: string, value: number][] {
  if (values.length < MIN_SUMMED) return [];
  const sum = rounded(values.reduce((all, value) => all + value, 0));
  const areWhole = values.every(Number.isInteger);
  return [
    ['sum', sum],
    // Amounts in cents.
    ...(areWhole ? ([['sum', rounded(sum / 100)]] as [string, number][]) : []),
    ['mean', rounded(sum / values.length)],
  ];
}

const MIN_SUMMED = 3;

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Numbers with fewer digits are equal by chance. */
function isSpecific(written: string): boolean {
  return written.replace(/\D/g, '').replace(/^0+/, '').length >= 4;
}

function sentenceOf(text: string, at: number): string {
  const start = Math.max(...['. ', '! ', '\n', '。'].map((end) => text.lastIndexOf(end, at)));
  const ends = ['. ', '! ', '\n', '。'].map((end) => text.indexOf(end, at)).filter((end) => end !== -1);
  return text.slice(start + 1, Math.min(text.length, ...ends));
}

function verdictOf(trace: Trace, { last, rest, items }: PartRead, answer: ConversationTurn, figure: Figure): Verdict {
  const who = answer.agent ?? trace.steps[answer.step]!.name;
  const read = counted(items.length, 'item');
  return {
    subtype: 'pages_unread',
    score: 0.8,
    step: answer.step,
    steps: [last.step, answer.step],
    agent: answer.agent,
    explanation: `The result of ${last.name} at step ${last.step} says that further items exist (${rest.quote}), and no call of the run reads them. The answer of ${who} at step ${answer.step} states ${figure.text}, ${figure.origin}, and does not say that items are missing.`,
    suggestedAction: `Do not use ${figure.text}. Have ${who} call ${last.name} for the rest until a result names no further items, or say that the figure covers ${read}.`,
    evidence: [
      { kind: 'call', step: last.step, path: 'tool.result', quote: rest.quote },
      { kind: 'text', step: answer.step, path: 'output', quote: cut(answer.text.trim(), 250) },
    ],
    causeFix: checkFix('tool_change', {
      title: `Read all pages of ${last.name} in code`,
      target: `tool ${last.name}`,
      description: `Let ${last.name} follow its own pages and return all items, or the number, sums and extreme values of all items. If it must return pages, add a line to each result that says how many items are missing.`,
      after: `${last.name}: repeat the request until no further page is named, then return all items with their number`,
      why: `The run read ${read} and stopped before the end of the list.`,
    }),
    fix: ruleFix(trace, answer.agent, {
      title: `Let ${who} read to the end of a list`,
      rule: `If a result of ${last.name} says that further items exist, read them before you state a number, sum or extreme value for all items. Otherwise say how many items you read.`,
      why: `${who} stated a figure of ${read} as that of all.`,
    }),
    key: last.name,
  };
}
