import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { cut, joined } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { functionBodies } from './function-bodies.ts';
import { strayBlock } from './stray-block.ts';

/** An example of the task: a call and what it returns. */
export interface TaskExample {
  call: string;
  expected: string;
}

/** `>>> tide(7)`, with the result on the next line. */
const PROMPT = /^\s{0,40}>>> {0,4}((\w{1,80})\(.{0,200}\))\s{0,8}$/;
/** `tide(7) ➞ 1`, `tide(7) # => 1`. */
const ARROW = /^[\s*-]{0,40}((\w{1,80})\(.{0,200}\))\s{0,8}(?:# ?)?(?:➞|→|⇒|->|=>|==>|==)\s{0,8}(\S.{0,200})$/;
/** `Input: hour = 7` with `Output: 1` on the next line, below the head of the function. */
const INPUT = /^[\s*-]{0,40}Input:\s{0,8}(\S.{0,200})$/i;
const OUTPUT = /^[\s*-]{0,40}Output:\s{0,8}(\S.{0,200})$/i;
const HEAD = /^[ \t]{0,40}(?:def|function|func|fn|fun)[ \t]{1,4}(\w{1,80})\(/;
/** `hour = ` before a value. */
const PARAMETER = /(^|,\s{0,4})[A-Za-z_]\w{0,40}\s{0,4}=\s{0,4}(?!=)/g;
const MAX_LINES = 2_000;

/** The examples of the user's messages for functions that the run defines; empty if a run executes one of them. */
export const unrunExamples = memoizeByRef((trace: Trace): readonly TaskExample[] => {
  const codes = codeRuns(trace).map((run) => executedPart(trace, run));
  const written = agentTurns(trace).map(({ text }) => codeIn(text));
  const defined = new Set([...codes, ...written].flatMap(functionBodies).map(({ name }) => name));
  const texts = conversation(trace).filter(({ by }) => by === 'user');
  const examples = texts.flatMap(({ text }) => examplesIn(text)).filter(({ name }) => defined.has(name));
  if (codes.some((code) => DOCTEST.test(code))) return [];
  const run = codes.flatMap((code) =>
    code
      .split('\n')
      .filter(isOutsideOf(idleTests(code)))
      .filter((line) => !isExample(line))
      .map(withoutBlanks),
  );
  if (examples.some(({ call }) => run.some((line) => line.includes(withoutBlanks(call))))) return [];
  const first = examples.filter(({ call }, at) => examples.findIndex((one) => one.call === call) === at);
  return first.map(({ call, expected }) => ({ call, expected }));
});

/** The code of a run up to the command of another block that failed: the blocks after it were not run. */
function executedPart(trace: Trace, run: ToolUse): string {
  const code = codeOf(run);
  const stray = strayBlock(trace, run);
  const at = stray?.isCommand === true ? code.indexOf(`\n${stray.line}\n`) : -1;
  return at === -1 ? code : code.slice(0, at);
}

const DOCTEST = /\bdoctest\b/;
const TEST_CLASS = /^class \w{1,80}\([\w.]{0,80}TestCase\)/;
const RUNS_TESTS = /\bunittest\.main\b|\bTestRunner\b|\bpytest\b|\bTestLoader\b/;

/** The lines of the test classes of a program that runs none of them. */
function idleTests(code: string): ReadonlySet<string> {
  if (RUNS_TESTS.test(code)) return new Set();
  let isInside = false;
  const lines = code.split('\n').filter((line) => {
    isInside = TEST_CLASS.test(line) || (isInside && /^(?:\s|$)/.test(line));
    return isInside;
  });
  return new Set(lines);
}

function isOutsideOf(lines: ReadonlySet<string>): (line: string) => boolean {
  return (line) => !lines.has(line);
}

function examplesIn(text: string): (TaskExample & { name: string })[] {
  const lines = text.split('\n').slice(0, MAX_LINES);
  let described: string | null = null;
  return lines.flatMap((line, at) => {
    described = HEAD.exec(line)?.[1] ?? described;
    const [, input] = INPUT.exec(line) ?? [];
    if (input !== undefined && described !== null) {
      const [, output] = OUTPUT.exec(lines[at + 1] ?? '') ?? [];
      const call = `${described}(${input.trim().replace(PARAMETER, '$1')})`;
      return output === undefined ? [] : [{ call, name: described, expected: output.trim() }];
    }
    const prompt = PROMPT.exec(line);
    const next = lines[at + 1]?.trim() ?? '';
    if (prompt !== null) return next === '' ? [] : [{ call: prompt[1]!, name: prompt[2]!, expected: next }];
    const [, call, name, expected] = ARROW.exec(line) ?? [];
    return call === undefined ? [] : [{ call, name: name!, expected: withoutNote(expected!.trim()) }];
  });
}

/** A text, a number or a list, and after it a note in parentheses or a comment. */
const NOTED =
  /^('[^']{0,120}'|"[^"]{0,120}"|[[({][^()]{0,120}[\])}]|-?\d[\d.]{0,30}|\w{1,20})\s{1,8}(?:\(.{0,200}\)|#.{0,200})$/;

function withoutNote(expected: string): string {
  return NOTED.exec(expected)?.[1] ?? expected;
}

function isExample(line: string): boolean {
  return PROMPT.test(line) || ARROW.test(line);
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Characters of the shown examples, after which the others are only counted. */
const MAX_SHOWN = 200;

/**
 * One sentence with a leading space that advises to run the examples of the task; empty if no example is left to run.
 * Which of them fails is not known: all are named, or as many as fit, first one for each expected value.
 */
export function exampleAdvice(trace: Trace, who: string): string {
  const examples = unrunExamples(trace);
  if (examples.length === 0) return '';
  const constant = examples.find((example) => isReturnedAsConstant(trace, example));
  if (constant !== undefined && examples.length === 1)
    return ` The code returns \`${cut(constant.expected, 60)}\` for every argument, which is only the value of the example: have ${who} run it with other arguments.`;
  const shown = shownExamples(examples);
  const texts = shown.map(
    ({ call, expected }, at) => `\`${cut(call, 80)}\` ${at === 0 ? 'should return ' : ''}\`${cut(expected, 60)}\``,
  );
  const which = examples.length === 1 ? 'the example' : `all ${examples.length} examples`;
  const list = shown.length === examples.length ? `: ${joined(texts)}` : `, for example ${joined(texts)}`;
  return ` Have ${who} run ${which} of the task first, which no run executes${list}.`;
}

/** Whether the last code of the run that defines the function returns the expected value and does nothing else. */
function isReturnedAsConstant(trace: Trace, { call, expected }: TaskExample): boolean {
  const name = call.slice(0, call.indexOf('('));
  const last = codeRuns(trace)
    .flatMap((run) => functionBodies(codeOf(run)))
    .findLast((body) => body.name === name);
  return last !== undefined && plainValue(last.statements) === plainValue(`return ${expected}`);
}

function plainValue(code: string): string {
  return withoutBlanks(code).replaceAll('"', "'");
}

/** Examples in the order of the task, at least one. A longer call is less likely to be trivial. */
function shownExamples(examples: readonly TaskExample[]): TaskExample[] {
  const byLength = examples.toSorted((a, b) => b.call.length - a.call.length);
  const isFirst = (one: TaskExample) => byLength.find(({ expected }) => expected === one.expected) === one;
  const ranked = [...byLength.filter(isFirst), ...byLength.filter((one) => !isFirst(one))];
  let length = 0;
  const shown = ranked.filter(({ call, expected }, at) => {
    length += Math.min(call.length, 80) + Math.min(expected.length, 60);
    return at === 0 || length <= MAX_SHOWN;
  });
  return examples.filter((one) => shown.includes(one));
}
