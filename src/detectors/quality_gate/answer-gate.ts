import type { Trace } from '../../core/trace.ts';
import { type NumberAnswer, numberAnswer, numberIn } from '../_conduct/final-answer.ts';
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

export interface FinalNumber extends NumberAnswer {
  said: Said;
}

/** The number that the last thing an agent said gives as the answer. */
export function finalNumber(trace: Trace): FinalNumber | null {
  const said = conversation(trace).findLast(({ by, text }) => by === 'agent' && /\d/.test(text));
  const answer = said === undefined ? null : numberAnswer(said.text);
  return said === undefined || answer === null ? null : { said, ...answer };
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
