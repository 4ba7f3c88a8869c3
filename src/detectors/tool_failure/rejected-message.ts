import type { Step, Trace } from '../../core/trace.ts';
import { type FailedCall, lineOf } from './failed-call.ts';
import type { Failure } from './failure.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** The last answer of a model before a failed message, if no model or tool was called after the message; else null. */
export function lastRejectedAnswer({ steps }: Trace, { step }: Failure): Step | null {
  if (steps[step]!.kind !== 'message') return null;
  const isWork = ({ kind }: Step) => kind === 'llm' || kind === 'tool';
  return steps.slice(step + 1).some(isWork)
    ? null
    : (steps.slice(0, step).findLast(({ kind }) => kind === 'llm') ?? null);
}

/** The remedy for a message that rejected the last answer of a model. */
export function rejectedAnswerRemedy({ trace, failure }: FailedCall): Remedy | null {
  const answer = lastRejectedAnswer(trace, failure);
  if (answer === null) return null;
  const who = answer.agent ?? answer.name;
  const action = `Give ${who} the message of step ${failure.step} and let it answer again: "${lineOf(failure)}" follows its answer at step ${answer.index}, and no further answer was requested.`;
  return {
    action,
    fixes: [
      fixOf(who, {
        fixType: 'workflow_change',
        title: `Let ${who} correct a rejected answer`,
        description: action,
        rationale: 'One answer in the wrong form ended the run.',
        change: `after a rejected answer: send ${who} the reason and the expected form, and end the run only after 2 further attempts`,
      }),
    ],
  };
}
