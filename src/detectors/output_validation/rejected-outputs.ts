import type { Step, Trace } from '../../core/trace.ts';
import { isComplete } from '../_kit/completeness.ts';
import { isInside } from '../_kit/enclosing-steps.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { isOutputMismatch } from '../_readings/calls/run-errors.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';

/** The run ended with the error. If a model answered after it, the rejection was handled. */
const ENDED_SCORE = 0.92;
const HANDLED_SCORE = 0.3;

/** Answers that the framework rejected because they do not match the declared output type, by agent. */
export function rejectedOutputs(trace: Trace): FoundFlaw[] {
  const rejected = trace.steps.filter(({ error }) => error !== null && isOutputMismatch(error));
  // Enclosing spans repeat the error.
  const innermost = rejected.filter(({ index }) => !rejected.some((other) => isInside(trace, other.index, index)));
  const byAgent = Map.groupBy(innermost, ({ agent, name }) => agent ?? name);
  return [...byAgent].map(([name, steps]) => flawOf(trace, name, steps as [Step, ...Step[]]));
}

function flawOf(trace: Trace, name: string, steps: [Step, ...Step[]]): FoundFlaw {
  const last = steps.at(-1)!;
  const call = modelCallOf(trace, last);
  const after = Math.max(last.index, call.index);
  const isHandled = trace.steps.some((step) => isAnswer(step) && step.index > after);
  const isEnd = !isHandled && isComplete(trace);
  const message = cut(oneLine(last.error!.message || last.error!.type), 160).replace(/\.$/, '');
  const times = steps.length === 1 ? '' : ` This happened ${counted(steps.length, 'time')}.`;
  const text = call.output.trim() === '' ? ' The answer itself is not recorded.' : '';
  return {
    subtype: 'rejected_by_schema',
    score: isEnd ? ENDED_SCORE : HANDLED_SCORE,
    steps: [call.index, ...steps.map(({ index }) => index).filter((index) => index !== call.index)],
    agent: last.agent,
    explanation: `The answer of ${name} at step ${call.index} was rejected because it does not match its output type: ${quotedError(last.error!.message || last.error!.type, 160)}.${times}${text}${isEnd ? ' No model answered after it, so the step has no result.' : isHandled ? ' A model answered after it.' : ''}`,
    suggestedAction: `Send this error back to ${name} once and ask for the object again; turn on strict structured output for its model, and check that its output limit has room for the whole object.`,
    kind: 'error',
    path: 'error.message',
    quote: last.error!.message || last.error!.type,
    shownAt: last.index,
    fix: checkFix('workflow_change', {
      title: 'Ask again with the error of the schema',
      target: `output of ${name}`,
      description: `Use the strict structured output of the model for ${name}. If its answer does not match the output type, call it once more with the answer and the error, and stop with a message for the user if the second answer fails, too.`,
      after: `on an answer that does not match: ask ${name} again with the error ("${cut(message, 80)}"), at most once`,
      why: 'One answer in another form ended the work without a result.',
    }),
    key: `schema ${name}`,
  };
}

function isAnswer({ kind, output, error }: Step): boolean {
  return kind === 'llm' && error === null && output.trim() !== '';
}

/** The last model call inside the failed step or before it, of the same agent; the step itself if there is none. */
function modelCallOf(trace: Trace, failed: Step): Step {
  const inside = trace.steps.findLast(({ kind, index }) => kind === 'llm' && isInside(trace, index, failed.index));
  if (failed.kind === 'llm' || inside !== undefined) return inside ?? failed;
  return (
    trace.steps.slice(0, failed.index).findLast(({ kind, agent }) => kind === 'llm' && agent === failed.agent) ?? failed
  );
}
