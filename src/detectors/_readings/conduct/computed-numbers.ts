import type { Trace } from '../../../core/trace.ts';
import type { ToolUse } from '../calls/calls.ts';
import { agentTurns, type ConversationTurn } from './conversation.ts';
import { codeRuns } from './executions.ts';
import { type NumberAnswer, numberAnswer } from './final-answer.ts';

const NUMBER = /(?<![\p{L}\d_.])-?\d{1,21}(?:\.\d{1,21})?(?:\s?\/\s?\d{1,21})?(?![\p{L}\d_]|\.\d)/gu;
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
const EXIT_LINE = /^\s{0,20}(?:exit ?code|return ?code|exit status)\s{0,3}[:=]?\s{0,3}-?\d{1,5}[^\n]*/i;
const RAISED = /Traceback \(most recent call last\)|\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b|^\s{0,8}Error\b/m;
/** More numbers than a calculation returns. */
const MAX_NUMBERS = 40;
const READ_CHARACTERS = 4_000;

export interface UncomputedAnswer {
  turn: ConversationTurn;
  answer: NumberAnswer;
  /** The last run of code that returned a number. */
  run: ToolUse;
  /** Its output, without the exit code. */
  output: string;
}

/**
 * The final number of a run whose code returned numbers, none of which is this number, nor gives it with another one by a
 * sum, difference, product or ratio. Null if code failed last, if the number may be a rounded or percent form, or if the task
 * asks for a number of things and an output has this number of members or lines.
 */
export function uncomputedAnswer(trace: Trace): UncomputedAnswer | null {
  const runs = codeRuns(trace);
  const last = runs.at(-1);
  const turn = agentTurns(trace).findLast(({ text }) => numberAnswer(text) !== null);
  if (last === undefined || turn === undefined || turn.step < last.step) return null;
  const answer = numberAnswer(turn.text)!;
  const outputs = runs.map((use) => ({ use, output: outputOf(use) }));
  const worked = outputs.filter(({ use, output }) => !use.isError && !RAISED.test(output));
  const found = worked.findLast(({ output }) => numbersIn(output).length > 0);
  if (found === undefined || !worked.some(({ use }) => use === last)) return null;
  const numbers = outputs.flatMap(({ output }) => numbersIn(output));
  if (numbers.length > MAX_NUMBERS || numbers.some((number) => mayBe(number, answer.value))) return null;
  if (COUNTS.test(trace.task ?? '') && outputs.some(({ output }) => countsIn(output).includes(answer.value)))
    return null;
  return gives(numbers, answer.value) ? null : { turn, answer, run: found.use, output: found.output.trim() };
}

/** Words of a question for a number of things. */
const COUNTS =
  /\b(?:how many|number of|count|wie ?viele?|anzahl|zähle|combien|nombre de|cuánt[ao]s|número de|quant[eio]s?|numero di|hoeveel|ile|liczb\p{L}|сколько|количеств\p{L})\b|いくつ|何[個人回本]|个数|多少个|几个|몇/iu;
const LIST = /[[({]([^[\](){}\n]{1,2000})[\])}]/g;
const MAX_LIST_LEVELS = 3;

/** Numbers of members of the lists of an output, and of its lines. */
function countsIn(output: string): number[] {
  const lines = output.split('\n').filter((line) => /\d/.test(line)).length;
  const counts = [lines];
  let rest = output;
  // A list inside a list is one member of it.
  for (let level = 0; level < MAX_LIST_LEVELS; level += 1)
    rest = rest.replace(LIST, (_, members: string) => {
      counts.push(members.split(',').length);
      return 'x';
    });
  return counts;
}

function outputOf({ resultText }: ToolUse): string {
  return resultText.slice(0, READ_CHARACTERS).replace(EXIT_LINE, '');
}

/** The numbers of an output. A fraction is its two parts and its value. */
function numbersIn(output: string): number[] {
  return [...output.replace(THOUSANDS, '').matchAll(NUMBER)].flatMap(([text]) => {
    const [first, second] = text.split('/').map(Number);
    return second === undefined || second === 0 ? [first!] : [first!, second, first! / second];
  });
}

/** Whether a number is the answer in another form: rounded, without its sign, or as a percentage. */
function mayBe(number: number, answer: number): boolean {
  const [a, b] = [Math.abs(number), Math.abs(answer)];
  const isRounded = Number.isInteger(answer) && Math.abs(a - b) < 1;
  return isRounded || isNear(a, b) || isNear(a * 100, b) || isNear(a / 100, b);
}

function gives(numbers: readonly number[], answer: number): boolean {
  return numbers.some((x) =>
    numbers.some((y) => [x + y, x - y, x * y, x / y].some((value) => isNear(Math.abs(value), Math.abs(answer)))),
  );
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 0.006 * b;
}
