import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { cut } from '../../_kit/text.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { functionBodies } from './function-bodies.ts';

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
  const codes = codeRuns(trace).map(codeOf);
  const written = agentTurns(trace).map(({ text }) => codeIn(text));
  const defined = new Set([...codes, ...written].flatMap(functionBodies).map(({ name }) => name));
  const texts = conversation(trace).filter(({ by }) => by === 'user');
  const examples = texts.flatMap(({ text }) => examplesIn(text)).filter(({ name }) => defined.has(name));
  if (codes.some((code) => DOCTEST.test(code))) return [];
  const run = codes.flatMap((code) =>
    code
      .split('\n')
      .filter((line) => !isExample(line))
      .map(withoutBlanks),
  );
  if (examples.some(({ call }) => run.some((line) => line.includes(withoutBlanks(call))))) return [];
  const first = examples.filter(({ call }, at) => examples.findIndex((one) => one.call === call) === at);
  return first.map(({ call, expected }) => ({ call, expected }));
});

const DOCTEST = /\bdoctest\b/;

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
    return call === undefined ? [] : [{ call, name: name!, expected: expected!.trim() }];
  });
}

function isExample(line: string): boolean {
  return PROMPT.test(line) || ARROW.test(line);
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

/**
 * One sentence with a leading space that advises to run the examples of the task, with the longest one, because a trivial
 * one may pass; empty if no example is left to run.
 */
export function exampleAdvice(trace: Trace, who: string): string {
  const examples = unrunExamples(trace);
  const [longest] = examples.toSorted((a, b) => b.call.length - a.call.length);
  if (longest === undefined) return '';
  const shown = `\`${cut(longest.call, 80)}\` should return \`${cut(longest.expected, 60)}\``;
  return examples.length === 1
    ? ` Have ${who} run the example of the task first, which no run executes: ${shown}.`
    : ` Have ${who} run all ${examples.length} examples of the task first, which no run executes, for example the longest one: ${shown}.`;
}
