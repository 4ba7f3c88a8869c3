import type { Step, Trace } from '../../core/trace.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type FailedCall, quoteOf } from './failed-call.ts';
import type { Failure } from './failure.ts';
import type { FailureGroup } from './failures.ts';
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
  const action = `Give ${who} the message of step ${failure.step} and let it answer again: ${quoteOf(failure)} follows its answer at step ${answer.index}, and no further answer was requested.`;
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

const QUOTE_CHARACTERS = 80;

/** The answer that a model gave in each of several failed calls, quoted in one line; null if the answers differ or are empty. */
export function repeatedAnswer(trace: Trace, { failures }: FailureGroup): string | null {
  if (failures.length < 2 || failures.some(({ what }) => what !== 'model')) return null;
  const answers = new Set(failures.map(({ step }) => oneLine(trace.steps[step]!.output)));
  const [answer] = answers;
  return answers.size === 1 && answer !== '' ? `"${cut(answer!, QUOTE_CHARACTERS)}"` : null;
}

/** The remedy for a model whose answer was rejected several times and did not change. */
export function repeatedAnswerRemedy({ trace, failure }: FailedCall, group: FailureGroup): Remedy | null {
  const answer = repeatedAnswer(trace, group);
  if (answer === null) return null;
  const who = failure.agent ?? failure.name;
  const action = `After a rejected answer, send ${who} what was wrong with it and the form that is expected: it repeated ${answer}, and the recorded reason is ${quoteOf(failure)}. End the run after the second equal answer.`;
  return {
    action,
    fixes: [
      fixOf(who, {
        fixType: 'workflow_change',
        title: `Tell ${who} why its answer was rejected`,
        description: action,
        rationale: 'A model that receives the same short message repeats its answer.',
        change: `message after a rejected answer of ${who}: what was wrong, an example of a valid answer, and the number of attempts that remain`,
      }),
    ],
  };
}
