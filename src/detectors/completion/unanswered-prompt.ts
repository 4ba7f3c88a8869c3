import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { atSentenceStart, counted, cut, oneLine, stepsText } from '../_kit/text.ts';
import { admitsFailure } from '../_readings/conduct/claims.ts';
import { quotedSentence } from '../_readings/conduct/closing-sentence.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { elementsText, requestedForm, requestedFormText } from './requested-form.ts';
import type { Verdict } from './verdict.ts';

/** Shorter messages also end conversations ("ok", "thanks"). */
const MIN_PROMPT_LENGTH = 20;
/** If the message was answered only once before, it may be a second look at the same result; a last rejection needs two earlier ones. */
const MIN_ANSWERED = 2;

/**
 * A chat whose last message repeats an earlier message of its sender word for word, and another agent answered the earlier
 * one: the message requests one more turn, and no turn follows. Chats that reach their turn limit end like this.
 */
export function unansweredPrompt(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error') return null;
  const messages = trace.steps.filter(
    ({ kind, output }) => (kind === 'message' || kind === 'llm') && output.trim() !== '',
  );
  const last = messages.at(-1);
  if (last?.kind !== 'message' || last.index !== trace.steps.length - 1 || last.output.length < MIN_PROMPT_LENGTH)
    return null;
  const rejected = rejectedAnswers(messages, last);
  if (rejected.length > MIN_ANSWERED) return rejectionVerdict(trace, last, rejected);
  const answered = messages.slice(0, -1).filter((step, at) => isSame(step, last) && isAnswer(messages[at + 1]!, last));
  if (answered.length < MIN_ANSWERED) return null;
  const name = last.agent ?? last.name;
  const promptText = cut(last.output.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'unanswered_prompt',
    // The message may close the chat, such as an automatic thank-you: only info.
    score: 0.5,
    step: last.index,
    steps: [...answered.map(({ index }) => index), last.index],
    agent: last.agent,
    explanation: `The run ended at step ${last.index} on a message of ${name} that nobody answered ("${promptText}"). ${name} had sent the same message ${counted(answered.length, 'time')} before, and each time another turn followed.`,
    suggestedAction: `Check the limit of turns and the condition that ends the chat with ${name}.`,
    evidence: [{ kind: 'message', step: last.index, path: 'output', quote: last.output }],
    fix: checkFix('workflow_change', {
      title: 'End the chat with an answer',
      target: `limit of turns of the chat with ${name}`,
      description: `In the last turn that the limit allows, ask for the best answer so far instead of sending the usual message of ${name}.`,
      after: 'in the last turn: ask for the final answer, or for what is missing, and end the chat with it',
      why: 'The last message of the chat has no answer.',
    }),
    key: name,
  };
}

/**
 * The answers of the chat that the sender of the last message rejected, in order: each is followed by a message that states
 * a failure and begins like the last one. The reasons after the beginning may differ. Empty if the last message states none.
 */
function rejectedAnswers(messages: readonly Step[], last: Step): Step[] {
  const opening = openingOf(last.output);
  if (opening.length < MIN_PROMPT_LENGTH || !admitsFailure(opening)) return [];
  return messages.slice(0, -1).filter((answer, at) => {
    const reply = messages[at + 1]!;
    return (
      answer.kind === 'llm' &&
      answer.agent !== last.agent &&
      reply.kind === 'message' &&
      reply.agent === last.agent &&
      openingOf(reply.output) === opening
    );
  });
}

const SENTENCE_END = /[.!?。！？\n]/;

/** The first sentence without times, places and ids. */
function openingOf(text: string): string {
  return withoutVolatile(text.trim().split(SENTENCE_END)[0]!);
}

function rejectionVerdict(trace: Trace, last: Step, rejected: readonly Step[]): Verdict {
  const answer = rejected.at(-1)!;
  const [name, who] = [last.agent ?? last.name, answer.agent ?? answer.name];
  const form = requestedForm(trace, last.agent, rejected);
  const quote = cut(last.output.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'unanswered_prompt',
    title: 'The chat ended on a rejected answer',
    businessImpact: 'No answer was accepted: the task is not done.',
    score: 0.9,
    step: firstInVain(trace, rejected).index,
    steps: [...rejected.map(({ index }) => index), last.index],
    agent: answer.agent,
    explanation: `The run ended at step ${last.index} with a message of ${name} that rejects the answer of ${who} ("${quote}"), and no other answer follows. ${atSentenceStart(name)} rejected ${counted(rejected.length, 'answer')} of the run like this (${stepsText(rejected.map(({ index }) => index))}).${requestedFormText(form)}${otherReasonsText(trace, last, rejected)}`,
    suggestedAction: `Return the reason of the rejection to ${who} together with ${form === null ? `the exact form or text that ${name} expects` : `the form of step ${form.step}, and reject an answer without ${elementsText(form.elements)} before it is applied`}. If no attempt is left, mark the run as failed.`,
    evidence: [{ kind: 'message', step: last.index, path: 'output', quote: last.output }],
    fix: checkFix('workflow_change', {
      title: 'Mark a run as failed if its last answer was rejected',
      target: `end of the chat of ${name} and ${who}`,
      description: `When the attempts of ${who} are used up, return the rejected answer and the reason of ${name} to the caller as a failure.`,
      after: 'if no attempt is left and the last answer was rejected: end the run as failed, with the reason',
      why: 'The last answer was rejected, and nothing follows.',
    }),
    key: name,
  };
}

/** The first of the rejected answers after which no other answer of the agent was accepted. */
function firstInVain({ steps }: Trace, rejected: readonly Step[]): Step {
  const last = rejected.at(-1)!;
  const accepted = steps.findLast(
    (step) => step.kind === 'llm' && step.agent === last.agent && step.index < last.index && !rejected.includes(step),
  );
  return rejected.find(({ index }) => index > (accepted?.index ?? -1))!;
}

/** The reasons of earlier rejections that the last one does not repeat, as a sentence with a leading space. */
function otherReasonsText({ steps }: Trace, last: Step, rejected: readonly Step[]): string {
  const reasonOf = ({ output }: Step) => oneLine(output.trim().slice(output.trim().search(SENTENCE_END) + 1));
  const replies = rejected.flatMap(({ index }) => steps.slice(index + 1).find(({ kind }) => kind === 'message') ?? []);
  const others = replies.filter((reply) => reasonOf(reply) !== reasonOf(last) && reasonOf(reply) !== '');
  const [first] = others;
  return first === undefined
    ? ''
    : ` The reason at step ${first.index} was another one: ${quotedSentence(reasonOf(first), 100)}`;
}

function isSame(step: Step, other: Step): boolean {
  return (
    step.kind === 'message' &&
    step.agent === other.agent &&
    withoutVolatile(step.output) === withoutVolatile(other.output)
  );
}

function isAnswer(step: Step, prompt: Step): boolean {
  return step.agent !== prompt.agent && step.index < prompt.index;
}
