import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { answerLine } from './answer-line.ts';
import { type Attempt, workAttempts } from './attempts.ts';
import { admitsFailure } from './claims.ts';
import { agentTurns, type ConversationTurn } from './conversation.ts';
import { isRequestedCall, isWholeMessage } from './requested-calls.ts';
import { statedVerdict } from './run-outcome.ts';

/** How a run ended after a call. */
export interface RunEnd {
  /** One sentence with a leading space; empty if a later call worked or the run has not ended. */
  text: string;
  /** Whether the last call failed and no message of an agent without code follows it. Such a message may be the answer. */
  isUnsolved: boolean;
  /** Whether the run ended on the result of this call. Not if each message of the agent is a call: the call is its answer. */
  isUnanswered: boolean;
  /** Whether the run ended on the result of this call, which is the agent's last answer. */
  isLastResult: boolean;
  /** Whether an agent requested this call, and the run ended on its result: the agent did not answer. */
  isAnswerDue: boolean;
  /**
   * What the last message admits: `failure` after a failed last call, `trouble` if it begins with an admission after a
   * call whose success is not known; null for nothing.
   */
  admits: 'failure' | 'trouble' | null;
}

const MESSAGE_CHARACTERS = 120;
const LINE_CHARACTERS = 80;
const UNKNOWN: RunEnd = {
  text: '',
  isUnsolved: false,
  isUnanswered: false,
  isLastResult: false,
  isAnswerDue: false,
  admits: null,
};

/** How the run ended after the call at `step`. */
export function runEndAfter(trace: Trace, step: number): RunEnd {
  const last = workAttempts(trace).at(-1);
  if (!trace.isSettled || last === undefined || last.step < step) return UNKNOWN;
  const hasFailed = last.hasFailed === true || statedVerdict(last.result, last.command ?? last.request) === false;
  if (last.step > step && !hasFailed) return UNKNOWN;
  const message = agentTurns(trace).findLast((turn) => turn.step > last.step && turn.text.trim() !== '');
  const isUnsolved = hasFailed && (message === undefined || message.text.includes('```'));
  const submission = toolUses(trace).find((use) => use.step > last.step) ?? null;
  const isEnd = last.step === step && message === undefined && submission === null;
  const own = isEnd ? toolUses(trace).find((use) => use.step === step) : undefined;
  const isAnswer = own !== undefined && isWholeMessage(trace, own);
  return {
    text:
      last.step !== step
        ? failedText(last)
        : submission !== null
          ? submittedText(submission)
          : isAnswer
            ? ' The run ended with this result.'
            : messageText(message),
    isUnsolved,
    isUnanswered: isEnd && !isAnswer,
    isLastResult: isAnswer,
    isAnswerDue: own !== undefined && !isAnswer && !isCutOff(trace) && isRequestedCall(trace, own),
    admits: admissionIn(message, hasFailed, last.step === step),
  };
}

/** Whether the recording of a session of a coding agent stops before its end. */
function isCutOff({ codingSession }: Trace): boolean {
  return codingSession !== undefined && codingSession.endedBy !== 'completed';
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

function messageText(message: ConversationTurn | undefined): string {
  if (message === undefined) return ' The run ended there, without an answer.';
  const { step, text } = message;
  if (text.includes('```')) return ` The run ended with code at step ${step} that nothing ran.`;
  return ` The run ended with the message at step ${step}: "${cut(oneLine(text), MESSAGE_CHARACTERS)}".`;
}
