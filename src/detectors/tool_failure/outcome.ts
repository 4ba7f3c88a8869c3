import { isPlaceholderError } from '../../core/decoder-error.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { isCompleteAfter, isWhole } from '../_kit/completeness.ts';
import { rootOf } from '../_kit/enclosing-steps.ts';
import { wordCount } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { type Admission, admissionIn, type FailureContext } from './admission.ts';
import { claimOfFailedAct } from './claimed-act.ts';
import type { Failure } from './failure.ts';
import type { FailureGroup } from './failures.ts';
import { lostItem } from './lost-item.ts';
import { isAssertion } from './own-answer.ts';
import { lastRejectedAnswer } from './rejected-message.ts';

/** Outcome of a failure, best first. */
export type Outcome =
  | 'recovered'
  | 'taken_over'
  | 'worked_around'
  | 'replaced_by_default'
  | 'error_passed_on'
  | 'item_dropped'
  | 'reported'
  | 'unclear'
  | 'not_read'
  | 'pending'
  | 'unknown'
  | 'internal'
  | 'item_lost'
  | 'act_claimed'
  | 'ignored'
  | 'gave_up_repeating'
  | 'not_corrected'
  | 'status_only'
  | 'cancelled'
  | 'run_only'
  | 'fatal';

/** Whether the answers after the failure do not show it. */
export function isErrorIgnored(outcome: Outcome): boolean {
  return ['ignored', 'gave_up_repeating', 'item_lost', 'act_claimed'].includes(outcome);
}

/** Outcome of a group, by what happened after its last failure. */
export function outcomeOf(trace: Trace, { failures }: FailureGroup): Outcome {
  const [first] = failures;
  const last = failures[failures.length - 1]!;
  if (failures.every((failure) => isInternal(trace, failure))) return 'internal';
  if (failures.every((failure) => repeatsStatus(trace, failure))) return 'status_only';
  if (failures.some((failure) => endedBy(trace, failure))) return endOf(trace, failures);
  if (isWhole(trace) && lastRejectedAnswer(trace, last) !== null) return 'fatal';
  const errorFallback = trace.steps[last.step]!.errorFallback;
  // A later run of the same node is about another item.
  if (errorFallback === 'dropped_item') return 'item_dropped';
  if (errorFallback === 'error_item') return 'error_passed_on';
  if (lostItem(trace, failures) !== null) return 'item_lost';
  if (succeedsLater(trace, last)) return 'recovered';
  // A model call that no model answered is reported by resource_misallocation.
  if (errorFallback === 'default_value' && last.what !== 'model') return 'replaced_by_default';
  if (errorFallback !== undefined) return 'taken_over';
  if (endsRun(trace, last) && !continuedAfter(trace, first)) return endOf(trace, failures);
  const admission = admissionAfter(trace, last);
  if (admission !== 'none' && isLeftRejected(trace, last)) return 'not_corrected';
  if (admission === 'admits') return 'reported';
  if (admission === 'unknown') return 'not_read';
  if (admission === 'unclear') return 'unclear';
  if (!isCompleteAfter(trace, last.step)) return 'unknown';
  // A running agent may repeat the call.
  if (failures.length >= 3 && !succeedsAtAll(trace, first)) return trace.isSettled ? 'gave_up_repeating' : 'pending';
  if (worksAround(trace, last)) return claimOfFailedAct(trace, last) === null ? 'worked_around' : 'act_claimed';
  return trace.isSettled ? 'ignored' : 'pending';
}

/** The outcome of failures that the run ended with. */
function endOf(trace: Trace, failures: FailureGroup['failures']): Outcome {
  if (failures.every(({ reason }) => reason === 'cancelled')) return 'cancelled';
  const isOfRun = failures.every((failure) => isRunItself(trace, failure) && hasUnknownCause(failure));
  return isOfRun ? 'run_only' : 'fatal';
}

/**
 * Whether the failure says no more than the status of the run: its root failed with at most a few words, such as `run
 * failed`, and no step inside it did. The steps to read first are then the leads of the run.
 */
function repeatsStatus(trace: Trace, failure: Failure): boolean {
  const { message, code } = failure.text;
  if (!isRunItself(trace, failure)) return false;
  if (isPlaceholderError(message) && isPlaceholderError(code)) return true;
  return hasUnknownCause(failure) && (code === '' || isPlaceholderError(code)) && saysNothing(message);
}

/** Whether the root of a failed run records the error, and no step inside it does. */
function isRunItself({ status, steps }: Trace, { what, step }: Failure): boolean {
  if (status !== 'error' || what !== 'step' || steps[step]!.parent !== null) return false;
  if (steps.some(({ parent, error }) => parent !== null && error !== null)) return false;
  return steps.some(({ kind, node, parent }) => parent !== null && (kind !== 'other' || node !== null));
}

function hasUnknownCause({ class: failureClass, reason }: Failure): boolean {
  return failureClass === 'other' && reason === null;
}

/** A name of an error, a value or a longer text describes what happened. */
function saysNothing(message: string): boolean {
  const text = message.trim();
  if (!/^[\p{L}\p{M} ]{1,40}[.!。]?$/u.test(text) || /\p{Ll}\p{Lu}/u.test(text)) return false;
  return wordCount(text) <= MAX_WORDS_OF_STATUS || text.length <= MAX_CHARACTERS_OF_STATUS;
}

/** For languages without spaces between words. */
const MAX_CHARACTERS_OF_STATUS = 10;
const MAX_WORDS_OF_STATUS = 3;

/** Whether a span is part of a program's own telemetry: the trace has no task, no answer, and no call of a model or tool. */
function isInternal(trace: Trace, { what, step }: Failure): boolean {
  const { kind, parent, input, output } = trace.steps[step]!;
  if (what !== 'step' || kind !== 'other' || parent === null || input !== '' || output !== '') return false;
  return trace.task === null && trace.finalOutput === null && trace.steps.every(isPlain);
}

/** Whether a step is a span of the program itself: no node, and no call of a model or tool. */
export function isPlain({ kind, model, node }: Step): boolean {
  return kind === 'other' && model === null && node === null;
}

/** The model call after a failure whose input contains the error message; null if none is recorded. */
export function receiverOf(trace: Trace, { step, text }: Failure): number | null {
  const words = text.message.slice(0, 60);
  if (words.length < MIN_CHARACTERS) return null;
  const found = trace.steps.find(({ index, kind, input }) => index > step && kind === 'llm' && input.includes(words));
  return found?.index ?? null;
}

/** Whether the same tool, model or node succeeds later, with any arguments. */
function succeedsLater(trace: Trace, failure: Failure): boolean {
  return successes(trace, failure).some((step) => step > failure.step);
}

/** Whether no later success of the same tool has the arguments of the failed call. */
export function succeedsWithOthersOnly(trace: Trace, { what, step, name }: Failure): boolean {
  if (what !== 'tool') return false;
  const uses = toolUses(trace).filter((use) => use.name === name && use.hasArguments);
  const failed = uses.find((use) => use.step === step);
  if (failed === undefined) return false;
  return !uses.some((use) => use.step > step && !use.isError && use.argumentsText === failed.argumentsText);
}

/** Whether the same tool, model or node succeeds anywhere in the run. */
export function succeedsAtAll(trace: Trace, failure: Failure): boolean {
  return successes(trace, failure).length > 0;
}

function successes(trace: Trace, { what, name, agent, step }: Failure): number[] {
  // The next answer of a model can correct what a failed message rejects. Another message of its sender does not.
  if (trace.steps[step]!.kind === 'message')
    return trace.steps.flatMap(({ kind, error, index }) => (kind === 'llm' && error === null ? [index] : []));
  if (what === 'tool') return toolUses(trace).flatMap((use) => (use.name === name && !use.isError ? [use.step] : []));
  const isSame = (step: Step) =>
    what === 'model' ? step.kind === 'llm' && step.agent === agent : (step.node ?? step.name) === name;
  return trace.steps.flatMap((step) => (step.error === null && isSame(step) ? [step.index] : []));
}

/**
 * Whether the root ended with this failure: it repeats the message, or nothing succeeded after it. A success of the same
 * tool in between then did not help.
 */
function endedBy(trace: Trace, failure: Failure): boolean {
  const root = failedRoot(trace, failure);
  if (root === null) return false;
  return (
    root.index === failure.step || repeats(root.error!.message, failure.text.message) || isLastToEnd(trace, failure)
  );
}

/** Shorter messages, such as `failed`, are part of many others. */
const MIN_CHARACTERS = 12;

function repeats(end: string, own: string): boolean {
  if (own.length < MIN_CHARACTERS) return own !== '' && end === own;
  return end.includes(own.slice(0, 60));
}

function isLastToEnd(trace: Trace, failure: Failure): boolean {
  const { endMs } = trace.steps[failure.step]!;
  if (endMs === null) return false;
  return !trace.steps.some(
    (step) => step.index > failure.step && (step.startMs === null || step.endMs === null || step.endMs >= endMs),
  );
}

/** The failed root above a failure; null if it did not fail, and if several steps have no parent. */
function failedRoot(trace: Trace, failure: Failure): Step | null {
  if (trace.status !== 'error') return null;
  const root = rootOf(trace, failure.step);
  const isAlone = root.index !== failure.step || trace.steps.filter(({ parent }) => parent === null).length === 1;
  return root.error !== null && isAlone ? root : null;
}

/**
 * Whether the run failed, and no agent wrote anything after this failure. In a trace without such messages, a later step
 * that succeeded shows that the run continued after a failed span of the program itself, such as a hook.
 */
function endsRun(trace: Trace, failure: Failure): boolean {
  if (trace.status !== 'error') return false;
  const failed = trace.steps[failure.step]!;
  if (isPlain(failed) && trace.steps.some((step) => step.error === null && startsAfter(step, failed))) return false;
  return !trace.steps.some((step) => step.index > failure.step && step.error === null && isAnswer(step));
}

/** Whether the run continued after a failed span of the program itself: later failures of its kind did not end the run either. */
function continuedAfter({ steps }: Trace, { step, what }: Failure): boolean {
  const failed = steps[step]!;
  return what === 'step' && isPlain(failed) && steps.some((each) => each.error === null && startsAfter(each, failed));
}

function startsAfter(step: Step, { index, endMs }: Step): boolean {
  return step.index > index && step.startMs !== null && endMs !== null && step.startMs >= endMs;
}

function isAnswer({ kind, outputMessages }: Step): boolean {
  return kind === 'llm' || (kind === 'message' && outputMessages[0]?.role === 'assistant');
}

/** A message that begins with a call behind a label, such as `[call] search({…})`, is no answer. */
const LABELLED_CALL = /^\[[\w -]{2,30}\]\s{0,4}[\w.-]{1,80}\(/;

/**
 * The agent at the root of a failed call, if its output is the last answer of the run: no model answered after the call.
 * Null if the agent has no output.
 */
export function speakingAgent(trace: Trace, { step }: Failure): Step | null {
  const root = rootOf(trace, step);
  const isSpeaking = root.index !== step && root.kind === 'agent' && root.output.trim() !== '';
  const isAnswered = agentTurns(trace).some((turn) => turn.step > step && turn.text !== '');
  return isSpeaking && root.output === trace.finalOutput && !isAnswered ? root : null;
}

/** Whether the next or the last answer or message mentions the failure. */
function admissionAfter(trace: Trace, failure: Failure): Admission {
  const next = conversation(trace).find(
    ({ by, step, text }) => by === 'agent' && step > failure.step && text !== '' && !LABELLED_CALL.test(text),
  );
  const context = failureContext(trace, failure);
  const found = [next?.text.slice(0, 2000) ?? null, trace.finalOutput].map((text) =>
    text === null ? 'none' : admissionIn(text, context),
  );
  return CLEAREST_FIRST.find((admission) => found.includes(admission)) ?? 'none';
}

const CLEAREST_FIRST: readonly Admission[] = ['admits', 'unclear', 'unknown'];
const KNOWN_CHARACTERS = 20_000;

/** What the run said before and apart from a failed call. */
function failureContext(trace: Trace, { step, text, name }: Failure): FailureContext {
  const uses = toolUses(trace);
  const turns = conversation(trace);
  const asked = [trace.task ?? '', ...turns.filter(({ by }) => by === 'user').map((turn) => turn.text)];
  const others = uses.filter((use) => use.step !== step && use.failure === null);
  const known = [name, ...asked, ...others.flatMap((use) => [use.argumentsText, use.resultText.slice(0, 2000)])];
  return {
    error: text.message,
    isCheck: isAssertion(text.code),
    passed: uses.find((use) => use.step === step)?.argumentsText ?? '',
    known: known.join('\n').slice(0, KNOWN_CHARACTERS),
    language: [...asked, ...turns.filter(({ by }) => by === 'agent').map((turn) => turn.text)].join('\n'),
  };
}

/**
 * Whether a tool rejected the arguments of its last call, it never accepted any, and no call of the run worked after it. A
 * run that ends with a question may ask the user for the argument.
 */
function isLeftRejected(trace: Trace, failure: Failure): boolean {
  if (failure.what !== 'tool' || failure.class !== 'invalid_arguments') return false;
  if (!isWhole(trace) || succeedsAtAll(trace, failure) || worksAround(trace, failure)) return false;
  return !endsWithQuestion(trace) && agentTurns(trace).some(({ step, text }) => step > failure.step && text !== '');
}

/** Whether another tool succeeds after the failure. */
function worksAround(trace: Trace, failure: Failure): boolean {
  return toolUses(trace).some((use) => use.step > failure.step && !use.isError);
}
