import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { type Attempt, attemptsIn } from '../_readings/conduct/attempts.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import {
  isUnmet,
  type Measurement,
  measurementsIn,
  type Requirement,
  requirementsIn,
} from '../_readings/conduct/requirements.ts';
import { needsAnswer } from './abandoned-run.ts';
import type { Verdict } from './verdict.ts';

interface Measured {
  attempt: Attempt;
  measurement: Measurement;
  isUnmet: boolean;
}

/**
 * The user set a bound for a measure, the run made changes and measured, no result reached the bound, and the run ended. Names
 * of measures are compared, not their meaning.
 */
export function unmetRequirement(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace) || endsWithQuestion(trace)) return null;
  // One tool changes, another one measures.
  if (new Set(attemptsIn(trace).map(({ by }) => by)).size < 2) return null;
  const turns = conversation(trace).filter(({ by }) => by === 'user');
  const asked = turns.length === 0 ? [trace.task ?? ''] : turns.map(({ text }) => text);
  for (const requirement of asked.flatMap(requirementsIn)) {
    const measured = measuredFor(trace, requirement);
    const last = measured.at(-1);
    if (last === undefined || measured.some((one) => !one.isUnmet) || !followsChange(trace, last.attempt)) continue;
    // The user may have accepted the value.
    if (turns.some(({ step }) => step > last.attempt.step)) continue;
    return verdictOf(trace, requirement, measured, last);
  }
  return null;
}

function measuredFor(trace: Trace, requirement: Requirement): Measured[] {
  return attemptsIn(trace).flatMap((attempt) =>
    measurementsIn(attempt.result).flatMap((measurement): Measured[] => {
      const unmet = isUnmet(requirement, measurement);
      return unmet === null ? [] : [{ attempt, measurement, isUnmet: unmet }];
    }),
  );
}

/** Whether the run changed something by another tool before it measured. Without one, the value is only looked up. */
function followsChange(trace: Trace, { step, by }: Attempt): boolean {
  return attemptsIn(trace).some((one) => one.step < step && one.by !== by && !one.isLookup && one.hasFailed !== true);
}

function verdictOf(trace: Trace, requirement: Requirement, measured: readonly Measured[], last: Measured): Verdict {
  const { attempt, measurement } = last;
  const values = new Set(measured.map(({ attempt: { step } }) => step));
  const end =
    trace.steps.findLast(({ kind, index }) => index > attempt.step && kind !== 'other')?.index ?? attempt.step;
  const who = attempt.agent ?? trace.steps[attempt.step]!.name;
  const value = `${measurement.value}${measurement.isPercent ? ' %' : ''}`;
  const bound = `${requirement.isStrict ? (requirement.isMinimum ? 'more than' : 'less than') : requirement.isMinimum ? 'at least' : 'at most'} ${requirement.bound}${requirement.isPercent ? ' %' : ''}`;
  return {
    subtype: 'requirement_unmet',
    score: 0.7,
    step: attempt.step,
    steps: [...values, ...(end === attempt.step ? [] : [end])],
    agent: attempt.agent,
    explanation: `The task sets a bound ("${cut(oneLine(requirement.quote), 160)}"). The last result of ${attempt.by} that states ${measurement.name}, at step ${attempt.step}, gives ${value}, and ${bound} was required. None of the ${counted(values.size, 'result')} with this measure reaches the bound, and the run ended.`,
    suggestedAction: `Reject the result of ${who} while ${measurement.name} is ${value}: have it continue, or ask the user whether the value is accepted.`,
    evidence: [{ kind: 'text', step: attempt.step, path: 'tool.result', quote: cut(attempt.result.trim(), 280) }],
    fix: checkFix('workflow_change', {
      title: `End the run only if ${measurement.name} meets the bound`,
      target: `stop condition of ${who}`,
      description: `Compare the last result of ${attempt.by} with the bound of the task. If it is not met, have the agent continue or ask the user.`,
      after: `on end: unless ${measurement.name} is ${bound}, continue, or ask the user`,
      why: 'The last result states a value that the task does not accept.',
    }),
    key: measurement.name,
  };
}
