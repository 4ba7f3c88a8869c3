import type { Step, Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { rootOf } from '../_kit/enclosing-steps.ts';
import { capitalized, counted, cut, oneLine } from '../_kit/text.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { claimOfFailedAct } from './claimed-act.ts';
import type { Failure } from './failure.ts';
import type { FailureGroup } from './failures.ts';
import { lostItem } from './lost-item.ts';
import { isErrorIgnored, isPlain, type Outcome, receiverOf, speakingAgent, succeedsWithOthersOnly } from './outcome.ts';

const OUTCOME_TEXT: Record<Exclude<Outcome, 'gave_up_repeating' | 'item_lost' | 'act_claimed'>, string> = {
  fatal: 'The run ended with this failure.',
  ignored:
    'Neither the next answer nor the last one mentions the failure, and no later call of it worked, so its result is missing.',
  not_corrected: 'The run ended without a call that it accepts, and no other call worked after it.',
  internal:
    'The trace has no task, no answer and no call of a model or tool: nothing shows that work for a user was affected.',
  status_only: 'No step inside it failed: the status of the run is all that the trace shows of this failure.',
  cancelled: 'The run ended because it was cancelled.',
  run_only: 'The run ended with this error, and no step inside it failed.',
  pending: 'The run has not ended and may recover.',
  unknown: 'Records of the run after it were rejected: whether a later call of it worked is not known.',
  replaced_by_default: 'A default value replaced the result, and later steps used it.',
  error_passed_on: 'The workflow is set to continue, and the error was passed on as the result.',
  item_dropped: 'Its error output is not connected, so the failed item was dropped.',
  taken_over: 'The workflow has a path for this failure and used it.',
  worked_around: 'The agent continued with other tools.',
  reported: 'A later answer mentions the failure.',
  unclear: 'The words of the later answers do not show clearly whether they mean this failure.',
  not_read: 'The answers after it are in a language in which admissions of failure are not recognised.',
  recovered: 'A later call worked.',
};

/** What happened after the failure, as far as the trace shows. */
export function outcomeText(trace: Trace, { failures }: FailureGroup, outcome: Outcome): string {
  const after = stepsAfterRun(trace, failures);
  if (outcome === 'fatal' && after.length > 0)
    return `This failure ended the run; ${after.length === 1 ? `step ${after[0]!.index} (${after[0]!.name})` : `${counted(after.length, 'step')} from step ${after[0]!.index} on`} ran after it.`;
  if (isErrorIgnored(outcome) && !isAnsweredAfter(trace, failures))
    return unansweredText(trace, failures.at(-1)!, outcome);
  if (outcome === 'gave_up_repeating')
    return `${neverWorkedText(trace)}, and neither the next answer nor the last one mentions the failure.`;
  const last = failures.at(-1)!;
  if (outcome === 'item_lost') {
    const { value, claim } = lostItem(trace, failures)!;
    return `No later call that worked has "${cut(value, 80)}" among its arguments, and the last answer says "${cut(claim, 120)}".`;
  }
  if (outcome === 'act_claimed')
    return `Other tools worked after it with other values, and the last answer says "${cut(claimOfFailedAct(trace, last)!, 160)}".`;
  if (outcome === 'recovered' && succeedsWithOthersOnly(trace, last))
    return 'A later call with other arguments worked.';
  return OUTCOME_TEXT[outcome];
}

/** What became of a failure after which no model answered. */
function unansweredText(trace: Trace, last: Failure, outcome: Outcome): string {
  // A failure in the program itself, such as that of a hook, is not passed to a model.
  if (last.what === 'step' && isPlain(trace.steps[last.step]!))
    return outcome === 'gave_up_repeating'
      ? `${neverWorkedText(trace)}.`
      : 'No later call of it worked, so its result is missing.';
  const agent = speakingAgent(trace, last);
  const answer =
    agent === null
      ? 'no answer of a model is recorded after it'
      : `the output of ${agent.agent ?? agent.name} ("${cut(oneLine(agent.output), 80)}") does not mention the failure`;
  return outcome === 'gave_up_repeating'
    ? `${neverWorkedText(trace)}, and ${answer}.`
    : `${capitalized(answer)}, and no later call of it worked, so its result is missing.`;
}

function neverWorkedText(trace: Trace): string {
  return isWhole(trace) ? 'It never worked in this run' : 'No recorded call of it worked';
}

/** The steps that start after the end of the root that the last failure belongs to. */
export function stepsAfterRun(trace: Trace, failures: FailureGroup['failures']): readonly Step[] {
  const last = failures.at(-1)!;
  const { endMs } = rootOf(trace, last.step);
  // An error workflow starts after the end of the failed one.
  const isLater = ({ index, parent, kind, startMs }: Step) =>
    index > last.step &&
    (parent === null || (kind === 'chain' && endMs !== null && startMs !== null && startMs >= endMs));
  return trace.steps.filter(isLater);
}

export function receivedText(trace: Trace, { failures }: FailureGroup, outcome: Outcome): string {
  const receiver = isErrorIgnored(outcome) ? receiverOf(trace, failures.at(-1)!) : null;
  return receiver === null ? '' : ` The model call at step ${receiver} received the error.`;
}

/** Whether an agent wrote something after the failures. */
function isAnsweredAfter(trace: Trace, failures: FailureGroup['failures']): boolean {
  const last = failures.at(-1)!;
  return agentTurns(trace).some(({ step, text }) => step > last.step && text !== '');
}

/** Whether the run has an answer after the failures: of a model, or the output of the agent around them. */
export function hasAnswerAfter(trace: Trace, failures: FailureGroup['failures']): boolean {
  return isAnsweredAfter(trace, failures) || speakingAgent(trace, failures.at(-1)!) !== null;
}
