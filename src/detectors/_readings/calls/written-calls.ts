import type { Json } from '../../../core/json.ts';
import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { CALL_FORMS, type CallForm, callInForm, type WrittenForm } from './call-forms.ts';

/** A call that a model wrote in its answer, with the reply of the program that executed it. */
export interface WrittenCall {
  name: string;
  arguments: Json;
  agent: string | null;
  /** Step of the answer that contains the call. */
  requestedAt: number;
  /** Step of the reply; that of the answer if the reply is only in the messages of the next model call, or missing. */
  step: number;
  /** Null if no reply is recorded. */
  result: string | null;
}

interface AnsweredTurn {
  step: Step;
  reply: { step: number; text: string; role: string } | null;
}

/** Fewer calls do not show a protocol. */
const MIN_CALLS = 3;
/** Minimum share of the answers with a reply that contain a call in the same form. */
const MIN_SHARE = 0.7;

/**
 * Calls of a run whose program lets the model write calls as text and returns their results as messages. Most answers
 * with a reply contain a call in the same form. Commands without a form of their own count only if the replies come from
 * a program: their role is not that of the user, or they have a common frame, such as `Observation:`. Empty for runs of
 * several agents with models. Computed once per trace; used for traces that record no calls.
 */
export const writtenCalls = memoizeByRef((trace: Trace): readonly WrittenCall[] => {
  const turns = turnsOf(trace);
  const answered = turns.filter(({ reply }) => reply !== null);
  if (answered.length < MIN_CALLS || new Set(turns.map(({ step }) => step.agent)).size !== 1) return [];
  const form = commonForm(answered);
  if (form === null || (PERSON_MAY_REPLY.has(form) && !areProgramReplies(answered))) return [];
  return turns.flatMap(({ step, reply }): WrittenCall[] => {
    const call = callInForm(form, step.output);
    if (call === null) return [];
    const at = { requestedAt: step.index, step: reply?.step ?? step.index };
    return [{ ...call, ...at, agent: step.agent, result: reply?.text ?? null }];
  });
});

/** Steps that contain the reply to a written call. */
export const replySteps = memoizeByRef(
  (trace: Trace): ReadonlySet<number> =>
    new Set(writtenCalls(trace).flatMap(({ step, requestedAt }) => (step === requestedAt ? [] : [step]))),
);

/** Forms that an answer to a person may have, too: commands to run. */
const PERSON_MAY_REPLY: ReadonlySet<CallForm> = new Set(['fence', 'command']);

function commonForm(turns: readonly AnsweredTurn[]): CallForm | null {
  const counts = CALL_FORMS.map((form) => ({ form, calls: callsIn(form, turns) }));
  const enough = counts.filter(({ calls }) => calls.length >= Math.max(MIN_CALLS, MIN_SHARE * turns.length));
  return enough[0]?.form ?? null;
}

function callsIn(form: CallForm, turns: readonly AnsweredTurn[]): WrittenForm[] {
  return turns.flatMap(({ step }) => callInForm(form, step.output) ?? []);
}

/** Characters at the start or end of a reply that form its frame. */
const FRAME_CHARACTERS = 8;
/** Minimum share of replies with the same frame. A rejected call may have another one. */
const MIN_FRAMED = 0.8;

function areProgramReplies(turns: readonly AnsweredTurn[]): boolean {
  const replies = turns.map(({ reply }) => reply!);
  if (replies.every(({ role }) => role !== 'user')) return true;
  const starts = replies.map(({ text }) => text.trimStart().slice(0, FRAME_CHARACTERS));
  const ends = replies.map(({ text }) => text.trimEnd().slice(-FRAME_CHARACTERS));
  return [starts, ends].some((frames) => mostFrequent(frames) >= MIN_FRAMED * replies.length);
}

function mostFrequent(texts: readonly string[]): number {
  const groups = [...Map.groupBy(texts, (text) => text).values()];
  return Math.max(...groups.map(({ length }) => length));
}

/** Names of the user as a speaker, in lower case. */
export const USER_NAMES: ReadonlySet<string> = new Set(['user', 'human', 'customer', 'client']);

/** Model answers with the message that follows each: a message step, or the last message of the next call's history. */
function turnsOf({ steps }: Trace): AnsweredTurn[] {
  const turns: AnsweredTurn[] = [];
  let open: AnsweredTurn | null = null;
  for (const step of steps) {
    if (step.kind === 'llm') {
      if (open !== null && open.reply === null) open.reply = replyInHistory(step);
      open = step.output === '' ? null : { step, reply: null };
      if (open !== null) turns.push(open);
    } else if (step.kind === 'message' && open !== null && step.output !== '' && step.agent !== open.step.agent) {
      const isPerson = step.agent === null || USER_NAMES.has(step.agent.toLowerCase());
      const role = isPerson ? (step.outputMessages[0]?.role ?? step.name) : 'tool';
      const text: string = open.reply === null ? step.output : `${open.reply.text}\n${step.output}`;
      open.reply = { step: open.reply?.step ?? step.index, text, role };
    }
  }
  return turns;
}

function replyInHistory({ index, inputMessages }: Step): AnsweredTurn['reply'] {
  const last = inputMessages.at(-1);
  const before = inputMessages.at(-2);
  if (last === undefined || before?.role !== 'assistant' || last.role === 'assistant') return null;
  return { step: index, text: last.content, role: last.role };
}
