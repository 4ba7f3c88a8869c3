import type { Trace } from '../../core/trace.ts';
import { recordedWord } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { workAttempts } from '../_readings/conduct/attempts.ts';
import type { RunEnd } from '../_readings/conduct/run-end.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';
import { hasFailed } from './between-calls.ts';

/**
 * How the run ended, whether a call of it worked, and the share of the loop in its calls. Replaces the general impact of a
 * repetition.
 * @param general what to say if the end of the run is not known
 */
export function loopImpact(
  trace: Trace,
  calls: readonly ToolUse[],
  end: RunEnd,
  general = '',
): Pick<DetectionDraft<string>, 'businessImpact'> {
  const share = shareOf(trace, calls);
  const parts = [
    isMostOfRun(share) && end.admitsAtEnd && !end.isUnsolved ? LOST : endText(end) || general,
    !end.isUnsolved && noCallWorked(trace) ? `No ${recordedWord(trace)}call of the run worked.` : '',
    isMostOfRun(share) ? shareText(trace, share) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? {} : { businessImpact: parts.join(' ') };
}

function endText(end: RunEnd): string {
  if (end.isUnsolved) return 'The run ended without a working result: the task is not done.';
  if (end.isSubmission) return 'The run ended on a result that the repeated calls did not change.';
  if (end.isAnswerDue) return 'The user got no answer: the task is not done.';
  if (end.isLastResult) return 'The run ended on a result that it had already received.';
  if (end.endsEmpty) return 'The last call of the run has no output: there is no answer.';
  if (end.isUnanswered) return 'The run ended without an answer.';
  if (end.admits === 'failure')
    return 'The last call of the run failed, and its last message admits that something is wrong.';
  return end.admits === 'trouble' ? 'The last message of the run admits that something is wrong.' : '';
}

const LOST = 'The last message of the run admits that the task is not done.';

interface Share {
  /** The calls of the loop, and the other calls with the same arguments. */
  loop: number;
  all: number;
}

const MIN_CALLS = 5;
const MIN_SHARE = 0.5;

function shareText(trace: Trace, { loop, all }: Share): string {
  const hasToolSpans = trace.steps.some(({ kind }) => kind === 'tool');
  return `The loop took ${loop === all ? `all ${all}` : `${loop} of the ${all}`} ${recordedWord(trace)}${hasToolSpans ? 'tool calls' : 'calls'} of the run.`;
}

function isMostOfRun({ loop, all }: Share): boolean {
  return loop >= MIN_CALLS && loop >= MIN_SHARE * all;
}

function shareOf(trace: Trace, calls: readonly ToolUse[]): Share {
  const steps = new Set(calls.map(({ step }) => step));
  const requests = new Set(calls.filter(({ hasArguments }) => hasArguments).map(requestOf));
  const uses = comparedUses(trace);
  return { loop: uses.filter((use) => steps.has(use.step) || requests.has(requestOf(use))).length, all: uses.length };
}

function requestOf({ actor, name, argumentsText }: ToolUse): string {
  return `${actor}\n${name}\n${argumentsText}`;
}

const MIN_FAILED = 3;

/** Whether each call other than a submission failed. */
function noCallWorked(trace: Trace): boolean {
  const work = new Map(workAttempts(trace).map((attempt) => [attempt.step, attempt]));
  const uses = comparedUses(trace).filter(({ step }) => work.has(step));
  return (
    uses.length >= MIN_FAILED && uses.every((use) => work.get(use.step)!.hasFailed === true || hasFailed(trace, use))
  );
}
