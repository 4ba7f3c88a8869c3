import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from '../calls/calls.ts';
import { conversation } from '../conduct/conversation.ts';
import { chatParticipants } from '../conduct/participants.ts';
import { isUserTurn } from './actors.ts';
import { newInformationSteps } from './new-information.ts';
import type { Turns } from './repetition.ts';

export const turnsIn = memoizeByRef((trace: Trace): Turns => {
  const user = [...newUserTurns(trace), ...newTurnsInHistories(trace), ...newRequests(trace)].sort((a, b) => a - b);
  return {
    user,
    newInformation: [...user, ...newInformationSteps(trace)].sort((a, b) => a - b),
    model: trace.steps.filter((step) => step.kind === 'llm').map((step) => step.index),
  };
});

/**
 * New user messages. A prompt that is sent again adds nothing, unless it follows an answer: a scheduler sends the same words
 * for each round.
 */
function newUserTurns(trace: Trace): number[] {
  const seen = new Set<string>();
  const participants = chatParticipants(trace);
  const turns = trace.steps.filter((step) => isUserTurn(step) && !participants.has(step.agent ?? ''));
  return turns.flatMap((step) => {
    const isNew = !seen.has(step.output) || followsAnswer(trace, step);
    seen.add(step.output);
    return isNew ? [step.index] : [];
  });
}

/** Whether the last act before a step is an answer of a model that ended a round of calls. */
function followsAnswer(trace: Trace, { index }: Step): boolean {
  const answer = lastActBefore(trace, index);
  if (answer?.kind !== 'llm' || answer.output.trim() === '' || requestsCall(trace, answer)) return false;
  return lastActBefore(trace, answer.index)?.kind === 'tool';
}

function lastActBefore({ steps }: Trace, index: number): Step | undefined {
  for (let at = index - 1; at >= 0; at -= 1) if (ACTS.has(steps[at]!.kind)) return steps[at];
  return undefined;
}

const ACTS: ReadonlySet<string> = new Set(['llm', 'tool', 'message']);

function requestsCall(trace: Trace, { index, outputMessages }: Step): boolean {
  return outputMessages.some(({ toolCalls }) => toolCalls.length > 0) || requestSteps(trace).has(index);
}

/** Steps that contain a call or the code of one. */
const requestSteps = memoizeByRef(
  (trace: Trace): ReadonlySet<number> => new Set(toolUses(trace).map(({ requestedAt }) => requestedAt)),
);

const MAX_REQUESTS = 200;
const MAX_TURNS_IN_HISTORIES = 1_000;
const REQUEST_CHARACTERS = 2_000;
const SAID_CHARACTERS = 200_000;

/**
 * New user turns that only the history of a model call contains, half a step before the call. They follow an answer in the
 * same history: a program that writes a new prompt for each call of a model does not continue a chat. A text that an earlier
 * step wrote or passed to a tool is not a user's.
 */
export const newTurnsInHistories = memoizeByRef((trace: Trace): readonly number[] => {
  const turns = conversation(trace).filter(({ by, step }) => by === 'user' && trace.steps[step]!.kind === 'llm');
  const texts = Map.groupBy(turns, ({ step }) => step);
  if (texts.size < 2) return [];
  const seen = new Set<string>();
  const found: number[] = [];
  const said = new SaidTexts();
  for (const step of trace.steps) {
    const replies = texts.has(step.index) ? repliesIn(step) : null;
    for (const { text } of texts.get(step.index) ?? []) {
      const mayBeNew = text.length <= REQUEST_CHARACTERS && (!seen.has(text) || isAskedAgain(trace, step, text));
      if (mayBeNew && replies!.has(text) && !said.includes(text.trim())) found.push(step.index - 0.5);
      seen.add(text);
    }
    if (seen.size > MAX_TURNS_IN_HISTORIES) break;
    said.add(step);
  }
  return found;
});

/**
 * Agent spans that begin with a request of a user or a scheduler that is new, such as `It is 10:03. Check the queue`. A text
 * that an earlier step wrote or passed to a tool is the work of another agent.
 */
function newRequests(trace: Trace): number[] {
  const seen = new Set<string>();
  const begun = new Set<number>();
  const found: number[] = [];
  const said = new SaidTexts();
  for (const step of trace.steps) {
    const { kind, parent, inputMessages } = step;
    if (kind === 'llm' && parent !== null && trace.steps[parent]!.kind === 'agent' && !begun.has(parent)) {
      begun.add(parent);
      const text = inputMessages.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
      const mayBeNew = begun.size > 1 && text !== '' && text.length <= REQUEST_CHARACTERS && !seen.has(text);
      if (mayBeNew && !said.includes(text)) found.push(parent);
      seen.add(text);
      if (begun.size > MAX_REQUESTS) break;
    }
    said.add(step);
  }
  return found;
}

/** What users said after the first answer of a history. */
function repliesIn({ inputMessages }: Step): ReadonlySet<string> {
  const first = inputMessages.findIndex(({ role }) => role === 'assistant');
  const later = first < 0 ? [] : inputMessages.slice(first);
  return new Set(later.filter(({ role }) => role === 'user').map(({ content }) => content));
}

function isAskedAgain(trace: Trace, step: Step, text: string): boolean {
  return repliesToAnswer(step, text) && followsAnswer(trace, step);
}

/** Whether the last message with this text follows an answer without calls. */
function repliesToAnswer({ inputMessages }: Step, text: string): boolean {
  const at = inputMessages.findLastIndex(({ role, content }) => role === 'user' && content === text);
  const answer = inputMessages[at - 1];
  return answer?.role === 'assistant' && answer.toolCalls.length === 0 && answer.content.trim() !== '';
}

/** The texts of the run so far. Most runs search them rarely, so they are joined only for a search. */
class SaidTexts {
  #joined = '';
  #further: string[] = [];

  add({ kind, input, output }: Step): void {
    if (kind !== 'tool' && kind !== 'llm' && kind !== 'message') return;
    this.#further.push(`\n${kind === 'tool' ? input : ''}\n${output}`);
  }

  includes(text: string): boolean {
    this.#joined = `${this.#joined}${this.#further.join('')}`.slice(-SAID_CHARACTERS);
    this.#further = [];
    return this.#joined.includes(text);
  }
}
