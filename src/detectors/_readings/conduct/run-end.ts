import type { Trace } from '../../../core/trace.ts';
import { hasKnownEnd, isComplete, recordedWord } from '../../_kit/completeness.ts';
import { cut, oneLine } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { answerLine } from './answer-line.ts';
import { type Attempt, workAttempts } from './attempts.ts';
import { admitsFailure } from './claims.ts';
import { closingAdmission, endsOnAdmission, outcomeSentence, quotedSentence } from './closing-sentence.ts';
import { agentTurns, type ConversationTurn } from './conversation.ts';
import { codeOf } from './executions.ts';
import { failedVersion, sameRun } from './failed-version.ts';
import { isRequestedCall, isWholeMessage } from './requested-calls.ts';
import { statedFailure, statedVerdict } from './run-outcome.ts';
import { workStatement } from './work-statement.ts';

/** How a run ended after a call. */
export interface RunEnd {
  /**
   * One sentence with a leading space; empty if the run has not ended, or if a later call worked and the last message does
   * not admit a failure.
   */
  text: string;
  /**
   * Whether the tests of the last call state a failure, or the last call failed and no message of an agent without code
   * follows it. Such a message may be the answer.
   */
  isUnsolved: boolean;
  /** Whether the run ended on the result of this call. Not if each message of the agent is a call: the call is its answer. */
  isUnanswered: boolean;
  /** Whether this call ends the run, and each message of the agent is only a command or code: each call submits an answer. */
  isSubmission: boolean;
  /** Whether the run ended on the result of this call, which is the agent's last answer. */
  isLastResult: boolean;
  /** Whether an agent requested this call, and the run ended on its result: the agent did not answer. */
  isAnswerDue: boolean;
  /**
   * What the last message admits: `failure` after a failed last call, `trouble` if it begins or ends with an admission after
   * another call; null for nothing.
   */
  admits: 'failure' | 'trouble' | null;
  /**
   * Whether a later call ended the run that only reads and has no output, and each message of the agent is only a command: the
   * answer of the run is empty.
   */
  endsEmpty: boolean;
  /** Whether the last message of the run admits a failure at its end, without a claim of success after it. */
  admitsAtEnd: boolean;
}

const MESSAGE_CHARACTERS = 120;
const LINE_CHARACTERS = 80;
const UNKNOWN: RunEnd = {
  text: '',
  isUnsolved: false,
  isUnanswered: false,
  isSubmission: false,
  isLastResult: false,
  isAnswerDue: false,
  admits: null,
  endsEmpty: false,
  admitsAtEnd: false,
};

/** How the run ended after the call at `step`. */
export function runEndAfter(trace: Trace, step: number): RunEnd {
  const last = workAttempts(trace).at(-1);
  if (!hasKnownEnd(trace) || last === undefined || last.step < step) return UNKNOWN;
  const hasStatedFailure = statesFailure(last);
  const hasFailed = last.hasFailed === true || hasStatedFailure;
  const message = agentTurns(trace).findLast((turn) => turn.step > last.step && turn.text.trim() !== '');
  const admitsAtEnd = message !== undefined && endsOnAdmission(message.text);
  if (last.step > step && !hasFailed)
    return admitsAtEnd
      ? { ...UNKNOWN, text: messageText(trace, message), admits: 'trouble', admitsAtEnd }
      : emptyEnd(trace, last, message);
  const isUnsolved = hasStatedFailure || (hasFailed && (message === undefined || message.text.includes('```')));
  const submission = toolUses(trace).find((use) => use.step > last.step) ?? null;
  const isEnd = last.step === step && message === undefined && submission === null;
  const isSubmission = isEnd && submitsOnly(trace);
  const own = isEnd ? toolUses(trace).find((use) => use.step === step) : undefined;
  const isAnswer = own !== undefined && isWholeMessage(trace, own);
  return {
    text:
      last.step !== step
        ? failedText(last)
        : submission !== null
          ? submittedText(submission)
          : isSubmission
            ? submissionsText(trace, workAttempts(trace))
            : isAnswer
              ? ' The run ended with this result.'
              : messageText(trace, message),
    isUnsolved,
    isUnanswered: isEnd && !isAnswer && !isSubmission,
    isSubmission,
    isLastResult: isAnswer && !isSubmission,
    isAnswerDue: own !== undefined && !isAnswer && !isSubmission && !isCutOff(trace) && isRequestedCall(trace, own),
    admits: admissionIn(message, hasFailed, last.step === step),
    endsEmpty: false,
    admitsAtEnd,
  };
}

/** The end of a run whose last call is its answer and has no output; `UNKNOWN` for another end. */
function emptyEnd(trace: Trace, last: Attempt, message: ConversationTurn | undefined): RunEnd {
  const isEmpty = last.isLookup && last.result.trim() === '' && toolUses(trace).at(-1)?.step === last.step;
  if (!isEmpty || message !== undefined || !submitsOnly(trace)) return UNKNOWN;
  const all = workAttempts(trace);
  const series = all.slice(all.findLastIndex(({ by, request }) => by !== last.by || request !== last.request) + 1);
  const call = `${last.by} ${cut(oneLine(last.command ?? last.request), MESSAGE_CHARACTERS)}`;
  const times = series.length < 2 ? '' : ` ${series.length} times in a row (steps ${series[0]!.step} to ${last.step})`;
  const at = series.length < 2 ? ` at step ${last.step}` : '';
  return {
    ...UNKNOWN,
    text: ` The run then called ${call}${times}${at}, without an output, and ended there.`,
    endsEmpty: true,
  };
}

/** Whether the recording of a session of a coding agent stops before its end. */
export function isCutOff({ codingSession }: Trace): boolean {
  return codingSession !== undefined && codingSession.endedBy !== 'completed';
}

/** Whether a model or a message has a text after the step. */
export function hasTextAfter({ steps }: Trace, step: number): boolean {
  return steps.some(
    ({ index, kind, output }) => index > step && (kind === 'llm' || kind === 'message') && output.trim() !== '',
  );
}

const OPENING_CHARACTERS = 160;

function admissionIn(message: ConversationTurn | undefined, hasFailed: boolean, isLast: boolean): RunEnd['admits'] {
  if (message === undefined) return null;
  if (hasFailed) return admitsFailure(message.text) ? 'failure' : null;
  const admits =
    admitsFailure(message.text.trim().slice(0, OPENING_CHARACTERS)) || closingAdmission(message.text) !== null;
  return isLast && admits ? 'trouble' : null;
}

function failedText(last: Attempt): string {
  const { by, step } = last;
  return ` The last call of the run, ${by} at step ${step}, also failed ("${cut(failureOf(last), LINE_CHARACTERS)}").`;
}

/** The line with which the tests state the failure, or the line that answers the call. */
function failureOf({ result, command, request }: Attempt): string {
  return statedFailure(result, command ?? request) || answerLine(result);
}

function statesFailure({ result, command, request }: Attempt): boolean {
  return statedVerdict(result, command ?? request) === false;
}

/** Whether each message of the agent is the command or the code of a call, without another word. */
function submitsOnly(trace: Trace): boolean {
  const turns = agentTurns(trace).filter(({ text }) => text.trim() !== '');
  const submitted = new Set(toolUses(trace).map((use) => oneLine(codeOf(use))));
  return turns.length > 0 && turns.every(({ text }) => submitted.has(oneLine(text)));
}

function submissionsText(trace: Trace, attempts: readonly Attempt[]): string {
  const all = ` Each ${recordedWord(trace)}call of the run submits an answer`;
  if (!attempts.every((each) => each.hasFailed === true || statesFailure(each)))
    return `${all}, and the run ended on the ${endedOn(attempts.at(-1)!)}.`;
  const isOne = new Set(attempts.map(({ request }) => request)).size === 1;
  return `${all}: all ${attempts.length} failed, including the last one${isOne && isComplete(trace) ? ', and no other version was tried' : ''}.`;
}

function endedOn(last: Attempt): string {
  return last.hasFailed === true || statesFailure(last)
    ? `error of the last one ("${cut(failureOf(last), LINE_CHARACTERS)}")`
    : 'result of the last one';
}

const SUBMISSION_CHARACTERS = 40;

function submittedText({ name, step, argumentsText }: ToolUse): string {
  const shown = oneLine(argumentsText);
  const isShort = shown.length <= SUBMISSION_CHARACTERS && /^\w/.test(shown) && shown !== name;
  return ` The run then ended with ${name} at step ${step}${isShort ? ` ("${shown}")` : ''}.`;
}

function messageText(trace: Trace, message: ConversationTurn | undefined): string {
  if (message === undefined) return ' The run ended there, without an answer.';
  const { step, text } = message;
  if (text.includes('```')) return ` ${codeEndText(trace, message)}`;
  // The beginning of a long message often repeats the task.
  const outcome = oneLine(text).length <= MESSAGE_CHARACTERS ? null : outcomeSentence(text);
  return outcome === null
    ? ` The run ended with the message at step ${step}: "${cut(oneLine(text), MESSAGE_CHARACTERS)}".`
    : ` The run ended with the message at step ${step}, which says: "${cut(oneLine(outcome), MESSAGE_CHARACTERS)}".`;
}

/** How a run ended whose last message contains code: with code that had failed, that had run, or that nothing ran. */
export function codeEndText(trace: Trace, message: ConversationTurn): string {
  const failed = failedVersion(trace, message);
  const claim = workStatement(message.text);
  const same = failed === null ? sameRun(trace, message) : null;
  const ended =
    failed === null
      ? same === null
        ? `The run ended with code at step ${message.step} that nothing ran.`
        : `The run ended with the code that step ${same.step} had run, unchanged (step ${message.step}).`
      : `The run ended with the code that had failed at step ${failed.step}, unchanged (step ${message.step}).`;
  return `${ended}${claim === null ? '' : ` That message says ${quotedSentence(claim, MESSAGE_CHARACTERS)}`}`;
}
