import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { cut } from '../../_kit/text.ts';
import { conversation } from './conversation.ts';
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
const MAX_LINES = 2_000;

/** The first example of the user's messages for a function that the run defines, if no run executes any of them. */
export const unrunExample = memoizeByRef((trace: Trace): TaskExample | null => {
  const codes = codeRuns(trace).map(codeOf);
  const defined = new Set(codes.flatMap(functionBodies).map(({ name }) => name));
  const texts = conversation(trace).filter(({ by }) => by === 'user');
  const examples = texts.flatMap(({ text }) => examplesIn(text)).filter(({ name }) => defined.has(name));
  const [first] = examples;
  if (first === undefined || codes.some((code) => DOCTEST.test(code))) return null;
  const run = codes.flatMap((code) =>
    code
      .split('\n')
      .filter((line) => !isExample(line))
      .map(withoutBlanks),
  );
  if (examples.some(({ call }) => run.some((line) => line.includes(withoutBlanks(call))))) return null;
  return { call: first.call, expected: first.expected };
});

const DOCTEST = /\bdoctest\b/;

function examplesIn(text: string): (TaskExample & { name: string })[] {
  const lines = text.split('\n').slice(0, MAX_LINES);
  return lines.flatMap((line, at) => {
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

/** One sentence with a leading space that advises to run the examples of the task; empty if there are none to run. */
export function exampleAdvice(trace: Trace, who: string): string {
  const example = unrunExample(trace);
  return example === null
    ? ''
    : ` Have ${who} run the examples of the task first, which no run executes: \`${cut(example.call, 60)}\` should return \`${cut(example.expected, 40)}\`.`;
}
