import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isCompleteAfter } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { isInside } from '../_kit/enclosing-steps.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses, unansweredCalls } from '../_readings/calls/calls.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { hasTextAfter, isCutOff } from '../_readings/conduct/run-end.ts';
import { callEvidence } from './call-evidence.ts';
import { repeatedCalls } from './repeated-calls.ts';

/** Fewer equal results are a short wait. */
const MIN_POLLS = 5;

export interface EndlessWait {
  polls: readonly ToolUse[];
  /** The error that ended the run. */
  error: string;
}

/**
 * The polls during which a run failed: its last calls have the same arguments and the same result, which is not empty, and
 * no agent wrote a text after them. Null if the run continued, or ended without an error: it may still be waiting.
 */
export function findEndlessWait(trace: Trace): EndlessWait | null {
  if (!hasKnownEnd(trace) || (isCutOff(trace) && trace.codingSession?.endedBy !== 'limit')) return null;
  const unanswered = unansweredCalls(trace);
  const uses = toolUses(trace).filter((use) => !unanswered.has(use));
  const last = uses.at(-1);
  if (last === undefined || actOf(trace, last) !== 'wait' || last.resultText.trim() === '') return null;
  const polls = uses.slice(uses.findLastIndex((use) => !isSamePoll(use, last)) + 1);
  const error = endError(trace, last);
  const isWait = polls.length >= MIN_POLLS && !hasTextAfter(trace, last.step) && isCompleteAfter(trace, polls[0]!.step);
  return isWait && error !== null ? { polls, error } : null;
}

function isSamePoll(use: ToolUse, { actor, name, argumentsText, resultHash }: ToolUse): boolean {
  return (
    use.actor === actor && use.name === name && use.argumentsText === argumentsText && use.resultHash === resultHash
  );
}

const SCORE = 0.92;
const ERROR_CHARACTERS = 120;

export function endlessWaitDetection(
  trace: Trace,
  { polls, error }: EndlessWait,
  options: DetectorOptions,
): DetectionDraft<'endless_wait'> {
  const { calls, first, last, place } = repeatedCalls(trace, polls, [...polls.keys()], options);
  const who = first.agent ?? 'The agent';
  const result = cut(oneLine(first.resultText), 100);
  return {
    subtype: 'endless_wait',
    score: SCORE,
    ...place,
    explanation: `${who} called ${first.name} ${counted(calls.length, 'time')} with the same arguments to wait, and got "${result}" each time (steps ${first.step} to ${last.step}). The run ended on this wait, without an answer: ${quotedError(error, ERROR_CHARACTERS)}.`,
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
function endError(trace: Trace, last: ToolUse): string | null {
  const ended = trace.steps.find(
    ({ index, error }) => error !== null && (index > last.step || isInside(trace, last.step, index)),
  );
  return ended?.error?.message ?? null;
}
