import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { conversation, type Said } from '../_conduct/said.ts';
import { toolUses } from '../_kit/calls.ts';
import type { GateGap } from './gap.ts';

const CODE_RUNNER = /^(?:python\w{0,20}|code_?interpreter|(?:run|execute)_?(?:code|python)\w{0,10}|calculator)$/i;

/** A final number that the code which was run to find it never printed; null where it did or no code was run. */
export function answerGap(trace: Trace): GateGap | null {
  const answer = finalNumber(trace);
  if (answer === null) return null;
  const printed = printedTexts(trace, answer.said.step);
  if (!printed.some((text) => /\d/.test(text)) || printed.some((text) => hasNumber(text, answer.value))) return null;
  const by = answer.said.agent ?? 'the agent';
  return {
    subtype: 'answer_never_computed',
    score: 0.62,
    step: answer.said.step,
    steps: [answer.said.step],
    agent: answer.said.agent,
    explanation: `At step ${answer.said.step} ${nameIn(trace, answer.said)} gave ${answer.text} as the final answer, but none of the code that was run printed this number: the last computation said something else and was not repeated.`,
    suggestedAction: 'Have the final number computed and printed before it is given as the answer.',
    quote: answer.text,
    path: 'output',
    fix: checkFix('workflow_change', {
      title: 'Compare the answer with what was computed',
      target: `final answer of ${by}`,
      description:
        'Accept a final number only when the last successful execution printed it; else ask for a computation that does.',
      after: 'if the final number is not among the printed results: ask the agent to compute it once more',
      why: 'The number in the answer and the numbers that were computed differ.',
    }),
    key: 'final number',
  };
}

function nameIn(trace: Trace, { agent, step }: Said): string {
  return agent ?? trace.steps[step]!.name;
}

function printedTexts(trace: Trace, before: number): string[] {
  const said = conversation(trace).filter(({ by, step }) => by === 'executor' && step < before);
  const runs = toolUses(trace).filter(({ name, step, isError }) => !isError && step < before && CODE_RUNNER.test(name));
  return [...said.map(({ text }) => text), ...runs.map(({ resultText }) => resultText)].filter(
    (text) => !/^\s{0,20}(?:Error|Traceback|exitcode: [1-9])/.test(text),
  );
}

interface FinalNumber {
  said: Said;
  text: string;
  value: number;
}

/** The number in the last `\boxed{}` or behind "final answer:" of the last thing an agent said. */
function finalNumber(trace: Trace): FinalNumber | null {
  const said = conversation(trace).findLast(({ by, text }) => by === 'agent' && /\d/.test(text));
  const found = [...(said?.text.slice(-1500) ?? '').matchAll(ANSWER)].at(-1);
  const text = found?.[1] ?? found?.[2];
  if (said === undefined || text === undefined) return null;
  const value = numberIn(text);
  return value === null ? null : { said, text, value };
}

const ANSWER =
  /\\?boxed\{[\s$\\]{0,4}(-?[\d.,]{1,30})[\s\\%$]{0,4}\}|\bfinal answer(?: is)?:? {0,2}[$\\]{0,2}(-?\d[\d.,]{0,30})/gi;

function numberIn(text: string): number | null {
  const value = Number(text.replace(/,/g, '').replace(/\.$/, ''));
  return text.trim() === '' || Number.isNaN(value) ? null : value;
}

function hasNumber(text: string, value: number): boolean {
  const numbers = text.slice(0, 20_000).match(/-?\d[\d,]{0,30}(?:\.\d{1,30})?(?:\/\d{1,12})?/g) ?? [];
  return numbers.some((found) => {
    const [over, under] = found.split('/');
    const number = (numberIn(over!) ?? Number.NaN) / Number(under ?? 1);
    return (
      Math.abs(number - value) <= 0.006 * Math.max(1, Math.abs(value)) ||
      Math.abs(-number - value) < 1e-9 ||
      Math.abs(100 * number - value) < 0.5
    );
  });
}
