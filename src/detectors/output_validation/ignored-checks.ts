import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { isInside } from '../_kit/enclosing-steps.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';

/**
 * An answer that was sent unchanged although a guardrail or validator had rejected it. An answer written after the check
 * handles its verdict, whatever it says; the same applies to any answer after a check of the input.
 */
export function ignoredChecks(trace: Trace): FoundFlaw[] {
  if (!hasKnownEnd(trace) || trace.status === 'error') return [];
  const checks = trace.steps.filter(({ kind, output }) => kind === 'guardrail' && output !== '');
  return [...Map.groupBy(checks, ({ name }) => name).values()].flatMap((ofOne) => {
    const check = ofOne.at(-1)!;
    if (verdictOf(check.output) !== false) return [];
    const answer = releasedAnswer(trace, check);
    return answer === null ? [] : [ignoredCheck(trace, check, answer)];
  });
}

/** The checked answer, if the user received it unchanged; null otherwise. */
function releasedAnswer(trace: Trace, check: Step): Step | null {
  const turns = conversation(trace).filter(({ step }) => !isWithin(trace, step, check.index));
  const end = turns.find(({ by, step }) => by === 'user' && step > check.index)?.step ?? Number.POSITIVE_INFINITY;
  const last = turns.findLast(({ step }) => step < end);
  const answer = turns.findLast(({ step }) => step < check.index);
  if (last?.by !== 'agent' || answer?.by !== 'agent' || answer.text.trim() === '' || answer.calls.length > 0)
    return null;
  const text = oneLine(answer.text);
  const isWhole = end === Number.POSITIVE_INFINITY && trace.finalOutput !== null;
  if (oneLine(last.text) !== text || (isWhole && !oneLine(trace.finalOutput!).includes(text))) return null;
  // The input of an input check does not contain the answer.
  const isAboutAnswer = check.input === '' || oneLine(check.input).includes(text) || containsText(check.input, text);
  return isAboutAnswer ? trace.steps[answer.step]! : null;
}

/** Whether a step is the other one or below it: a check may call a model itself. */
function isWithin(trace: Trace, step: number, other: number): boolean {
  return step === other || isInside(trace, step, other);
}

/** Whether a text contains the other. The input of a check is often JSON with escaped line breaks and quotes. */
function containsText(input: string, text: string): boolean {
  const value = parseJson(input);
  const parts = isJsonObject(value) ? Object.values(value) : [value];
  return parts.some((part) => typeof part === 'string' && oneLine(part).includes(text));
}

function verdictOf(output: string): boolean | null {
  const value = parseJson(output);
  if (!isJsonObject(value)) return null;
  if (value.tripwire_triggered === true || value.triggered === true || value.blocked === true) return false;
  const verdict =
    value.passed ?? value.pass ?? value.valid ?? value.is_valid ?? value.ok ?? value.success ?? value.approved;
  return typeof verdict === 'boolean' ? verdict : null;
}

function ignoredCheck(trace: Trace, check: Step, answer: Step): FoundFlaw {
  const { name, index, agent, output } = check;
  return {
    subtype: 'failed_check_ignored',
    score: 0.88,
    steps: [index, answer.index],
    agent,
    explanation: `The check ${name} at step ${index} did not pass and did not pass later, and the answer of step ${answer.index} that it had checked was sent unchanged: "${cut(oneLine(answer.output), 120)}"`,
    suggestedAction: `Stop or repair the answer when ${name} does not pass.`,
    kind: 'text',
    path: 'output',
    quote: cut(output, 280),
    fix: checkFix('workflow_change', {
      title: `Make ${name} block`,
      target: name,
      description: `Let a failed ${name} end the run or send the answer back for repair, instead of only recording it.`,
      after: `if ${name} fails: ask for a corrected answer once; if it fails again, return a safe message`,
      why: 'The verdict of the check had no effect on the answer.',
    }),
    key: trace.steps[index]!.name,
  };
}
