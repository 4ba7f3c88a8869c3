import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { withoutCode } from '../calls/fenced-code.ts';
import { answerLine } from './answer-line.ts';
import { type Attempt, workAttempts } from './attempts.ts';
import { admitsFailure, claimOfPassingTests } from './claims.ts';
import { agentTurns, type ConversationTurn } from './conversation.ts';
import { failedVersion } from './failed-version.ts';
import { statedVerdict } from './run-outcome.ts';

/** How a run ended after a call. */
export interface RunEnd {
  /** One sentence with a leading space; empty if a later call worked or the run has not ended. */
  text: string;
  /**
   * Whether the tests of the last call state a failure, or the last call failed and no message of an agent without code
   * follows it. Such a message may be the answer.
   */
  isUnsolved: boolean;
  /** Whether this call is the last step of the run that says anything. */
  isUnanswered: boolean;
  /**
   * What the last message admits: `failure` after a failed last call, `trouble` if it begins with an admission after a
   * call whose success is not known; null for nothing.
   */
  admits: 'failure' | 'trouble' | null;
}

const MESSAGE_CHARACTERS = 120;
const LINE_CHARACTERS = 80;
const UNKNOWN: RunEnd = { text: '', isUnsolved: false, isUnanswered: false, admits: null };

/** How the run ended after the call at `step`. */
export function runEndAfter(trace: Trace, step: number): RunEnd {
  const last = workAttempts(trace).at(-1);
  if (!trace.isSettled || last === undefined || last.step < step) return UNKNOWN;
  const hasStatedFailure = statedVerdict(last.result, last.command ?? last.request) === false;
  const hasFailed = last.hasFailed === true || hasStatedFailure;
  if (last.step > step && !hasFailed) return UNKNOWN;
  const message = agentTurns(trace).findLast((turn) => turn.step > last.step && turn.text.trim() !== '');
  const isUnsolved = hasStatedFailure || (hasFailed && (message === undefined || message.text.includes('```')));
  const submission = toolUses(trace).find((use) => use.step > last.step) ?? null;
  return {
    text:
      last.step !== step
        ? failedText(last)
        : submission === null
          ? messageText(trace, message)
          : submittedText(submission),
    isUnsolved,
    isUnanswered: last.step === step && message === undefined && submission === null,
    admits: admissionIn(message, hasFailed, last.step === step),
  };
}

const OPENING_CHARACTERS = 160;

function admissionIn(message: ConversationTurn | undefined, hasFailed: boolean, isLast: boolean): RunEnd['admits'] {
  if (message === undefined) return null;
  if (hasFailed) return admitsFailure(message.text) ? 'failure' : null;
  return isLast && admitsFailure(message.text.trim().slice(0, OPENING_CHARACTERS)) ? 'trouble' : null;
}

function failedText({ by, step, result }: Attempt): string {
  return ` The last call of the run, ${by} at step ${step}, also failed ("${cut(answerLine(result), LINE_CHARACTERS)}").`;
}

function submittedText({ name, step }: ToolUse): string {
  return ` The run then ended with ${name} at step ${step}.`;
}

function messageText(trace: Trace, message: ConversationTurn | undefined): string {
  if (message === undefined) return ' The run ended there, without an answer.';
  const { step, text } = message;
  if (text.includes('```')) return ` ${codeEndText(trace, message)}`;
  return ` The run ended with the message at step ${step}: "${cut(oneLine(text), MESSAGE_CHARACTERS)}".`;
}

/** How a run ended whose last message contains code: with code that had failed, or with code that nothing ran. */
export function codeEndText(trace: Trace, message: ConversationTurn): string {
  const failed = failedVersion(trace, message);
  const claim = claimOfPassingTests(withoutCode(message.text));
  const ended =
    failed === null
      ? `The run ended with code at step ${message.step} that nothing ran.`
      : `The run ended with the code that had failed at step ${failed.step}, unchanged (step ${message.step}).`;
  return `${ended}${claim === null ? '' : ` That message says "${cut(oneLine(claim), MESSAGE_CHARACTERS)}"`}`;
}
