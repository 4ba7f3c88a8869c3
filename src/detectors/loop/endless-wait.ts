import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isCompleteAfter } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses, unansweredCalls } from '../_readings/calls/calls.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { callEvidence } from './call-evidence.ts';
import { repeatedCalls } from './repeated-calls.ts';

/** Fewer equal results are a short wait. */
const MIN_POLLS = 5;

/**
 * The polls on which a run ended: its last calls have the same arguments and the same result, which is not empty, and no
 * agent wrote a text after them. Empty if the run continued, or if its end is not known.
 */
export function findEndlessWait(trace: Trace): readonly ToolUse[] {
  if (!hasKnownEnd(trace) || isCutOff(trace)) return [];
  const unanswered = unansweredCalls(trace);
  const uses = toolUses(trace).filter((use) => !unanswered.has(use));
  const last = uses.at(-1);
  if (last === undefined || actOf(trace, last) !== 'wait' || last.resultText.trim() === '') return [];
  const polls = uses.slice(uses.findLastIndex((use) => !isSamePoll(use, last)) + 1);
  const isContinued = trace.steps.some(
    ({ index, kind, output }) => index > last.step && (kind === 'llm' || kind === 'message') && output.trim() !== '',
  );
  return polls.length >= MIN_POLLS && !isContinued && isCompleteAfter(trace, polls[0]!.step) ? polls : [];
}

/** Whether the session of a coding agent may have continued after its last record, or a person stopped it. */
function isCutOff({ codingSession }: Trace): boolean {
  return codingSession !== undefined && codingSession.endedBy !== 'completed' && codingSession.endedBy !== 'limit';
}

function isSamePoll(use: ToolUse, { actor, name, argumentsText, resultHash }: ToolUse): boolean {
  return (
    use.actor === actor && use.name === name && use.argumentsText === argumentsText && use.resultHash === resultHash
  );
}

const ERROR_CHARACTERS = 120;

export function endlessWaitDetection(
  trace: Trace,
  polls: readonly ToolUse[],
  options: DetectorOptions,
): DetectionDraft<'endless_wait'> {
  const { calls, first, last, place } = repeatedCalls(trace, polls, [...polls.keys()], options);
  const who = first.agent ?? 'The agent';
  const result = cut(oneLine(first.resultText), 100);
  const error = endError(trace, last);
  return {
    subtype: 'endless_wait',
    score: error === null ? 0.8 : 0.92,
    ...place,
    explanation: `${who} called ${first.name} ${counted(calls.length, 'time')} with the same arguments to wait, and got "${result}" each time (steps ${first.step} to ${last.step}). The run ended on this wait, without an answer${error === null ? '' : `: "${cut(oneLine(error), ERROR_CHARACTERS)}"`}.`,
    suggestedAction: `Find out why the state stays at "${cut(result, 60)}", and let ${who === 'The agent' ? 'the agent' : who} stop waiting after a fixed number of equal results: cancel what it waits for, or report the state to the user.`,
    evidence: [
      callEvidence(trace, first),
      ...[first, last].map((call) => ({
        kind: 'result',
        spanId: trace.steps[call.step]!.spanId,
        path: 'tool.result',
        quote: cut(call.resultText, 280),
        value: null,
      })),
    ],
    fixes: [
      checkFix('loop_guard', {
        title: `Limit how long a state of ${first.name} may stay the same`,
        target: first.name,
        description: `Keep the last result of ${first.name}. After ${MIN_POLLS} equal results or a time limit, return "no progress since the first poll: cancel it or report it" instead of the state.`,
        after: `no progress after ${MIN_POLLS} equal results: cancel or report`,
        why: `The run polled ${calls.length} times for a state that did not change, and ended without an answer.`,
      }),
      ruleFix(trace, first.agent, {
        title: 'Report a wait without progress',
        rule: `When ${first.name} returns the same state ${MIN_POLLS} times, stop polling: tell the user the last state and that it does not change.`,
        why: 'The user got no answer.',
      }),
    ],
    key: `${first.name} wait`,
  };
}

/** The error that ended the run: that of a step that contains the last poll, or of one after it. */
function endError({ steps }: Trace, last: ToolUse): string | null {
  const containing = new Set<number>();
  for (let at = steps[last.step]!.parent; at !== null; at = steps[at]!.parent) containing.add(at);
  return (
    steps.find(({ index, error }) => error !== null && (index > last.step || containing.has(index)))?.error?.message ??
    null
  );
}
