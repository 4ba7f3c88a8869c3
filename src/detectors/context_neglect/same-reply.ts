import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted, cut, lengthInLetters, oneLine, words } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { repairFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { asksForMore, closingRequest, hasQuestion } from './closing-question.ts';
import { conversationOf } from './conversation.ts';

/** The run ended with a reply that the agent had already given to other messages of the user. */
export interface SameReply {
  /** The step of the last reply. */
  last: Step;
  reply: string;
  /** The messages of the user that were answered with this reply, oldest first. */
  messages: readonly string[];
  /** Number of equal replies in a row. */
  times: number;
  /** Steps of the earlier equal replies that have a step of their own. */
  earlier: readonly number[];
  /** A value of the last message that the reply does not contain; null if the replies alone are the evidence. */
  value: string | null;
}

/** `call`: a call that worked, or one in the history of a model call. It shows that the message before it was handled. */
interface Line {
  by: 'user' | 'agent' | 'call';
  text: string;
  step: number;
}

/** Shorter replies ("Done.", "Good night!") fit many messages. */
const MIN_LETTERS = 24;
/** Equal replies in a row that need no other evidence. */
const MIN_REPLIES = 3;

/**
 * Whether the replies show that the user was not heard: a correction was ignored; or the reply asks the user something, and
 * a message asks something, too, or the last one names again what an earlier one is about. Different statements can have
 * one acknowledgement, and different requests one refusal.
 */
export function isNeglect({ reply, messages, value }: SameReply): boolean {
  if (value !== null) return true;
  const question = closingRequest(reply);
  if (question === null || asksForMore(question) || hasReservation(reply)) return false;
  return messages.some(hasQuestion) || messages.slice(0, -1).some((message) => isAbout(messages.at(-1)!, message));
}

/**
 * At least three equal replies in a row, each to another message, the last of which shares no long word with the reply; or
 * two, if the message in between repeats a value of the reply and gives another one, as a correction does. Values are words
 * with digits, so this holds in every language.
 */
export function findSameReply(trace: Trace): SameReply | null {
  const last = trace.steps.findLast(({ kind, output }) => kind === 'llm' && output.trim() !== '');
  if (last === undefined || !hasKnownEnd(trace) || !isComplete(trace) || trace.status === 'error') return null;
  const reply = last.output.trim();
  if (lengthInLetters(reply) < MIN_LETTERS || hasCalls(last.outputMessages)) return null;
  if (conversationOf(trace).some(({ step, isUser }) => isUser && step.index > last.index)) return null;
  const lines = linesBefore(trace, last);
  const messages = new Set<string>();
  const earlier: number[] = [];
  let times = 1;
  let isHandled = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const { by, text, step } = lines[at]!;
    if (by === 'user') messages.add(text);
    else if (by === 'call' && times > MIN_REPLIES) break;
    else if (by === 'call') isHandled = true;
    else if (text === reply && lines[at + 1]?.by === 'user') {
      times += 1;
      if (step !== last.index) earlier.unshift(step);
    } else break;
  }
  const given = [...messages].reverse();
  const latest = given.at(-1);
  if (times < 2 || messages.size < times || latest === undefined) return null;
  const isAlone = isOnlyAgent(trace);
  const value = isAlone || isOfUser(trace, latest) ? correctedValue(latest, reply) : null;
  if (value === null && (times < MIN_REPLIES || isHandled || !isAlone || isAbout(reply, latest))) return null;
  return { last, reply, messages: given, times, earlier, value };
}

/** Shorter words are mostly not the subject of a message. */
const MIN_WORD_LENGTH = 5;

/** Whether a reply names what the message is about. An agent repeats such a reply to a user who insists on a refused request. */
function isAbout(reply: string, message: string): boolean {
  const topics = new Set(topicsIn(message));
  return topicsIn(reply).some((word) => topics.has(word));
}

const WIDE_LETTERS = /[\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}/g;

/** Long words, and pairs of characters in scripts without spaces. */
function topicsIn(text: string): string[] {
  const runs = text.match(WIDE_LETTERS) ?? [];
  const pairs = runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)));
  return [...words(text).filter((word) => word.length >= MIN_WORD_LENGTH), ...pairs];
}

function hasCalls(messages: Step['outputMessages']): boolean {
  return messages.some(({ toolCalls }) => toolCalls.length > 0);
}

/** Whether one agent answers. With several agents, messages of other agents also have the user role. */
function isOnlyAgent({ steps }: Trace): boolean {
  return new Set(steps.flatMap(({ kind, agent }) => (kind === 'llm' ? [agent] : []))).size <= 1;
}

/** From the messages sent with the last model call, if they contain earlier replies; else from the steps. */
function linesBefore(trace: Trace, last: Step): Line[] {
  const history = last.inputMessages.flatMap(({ role, content, toolCalls }): Line[] => {
    const text = content.trim();
    if (toolCalls.length > 0) return [{ by: 'call', text: '', step: last.index }];
    if (text === '' || (role !== 'user' && role !== 'assistant')) return [];
    return [{ by: role === 'user' ? 'user' : 'agent', text, step: last.index }];
  });
  if (history.some(({ by }) => by === 'agent')) return history;
  const spoken = conversationOf(trace).map(({ step, isUser, text }): Line => {
    return { by: isUser ? 'user' : 'agent', text, step: step.index };
  });
  const calls = toolUses(trace).filter(({ failure }) => failure === null);
  const lines = [...spoken, ...calls.map(({ step }): Line => ({ by: 'call', text: '', step }))];
  return lines.filter(({ step }) => step < last.index).sort((a, b) => a.step - b.step);
}

/** Whether the text is the input of the run. */
function isOfUser({ task, steps }: Trace, text: string): boolean {
  return [task, steps[0]?.input].some((input) => input?.trim() === text);
}

const VALUE = /\d+(?:[:.,/-]\d+)*/g;

/** The first value of the message that the reply does not contain, if the message also repeats a value of the reply. */
function correctedValue(message: string, reply: string): string | null {
  const known = new Set(reply.match(VALUE));
  const given = message.match(VALUE) ?? [];
  return given.some((value) => known.has(value)) ? (given.find((value) => !known.has(value)) ?? null) : null;
}

export function sameReplyDetection(trace: Trace, found: SameReply): DetectionDraft<'same_reply'> {
  const { last, reply, messages, times, earlier, value } = found;
  const name = last.agent ?? last.name;
  const message = cut(oneLine(messages.at(-1)!), 100);
  const quote = cut(oneLine(reply), 100);
  const missed = value === null ? '' : ` The reply does not contain "${value}".`;
  return {
    subtype: 'same_reply',
    score: value === null ? Math.min(0.85, 0.62 + 0.04 * (times - 2)) : 0.66,
    step: last.index,
    steps: [last.index, ...earlier],
    agent: last.agent,
    explanation: `${name} gave the same reply ${counted(times, 'time')} in a row, word for word, to different messages of the user: "${quote}". The last message was "${message}".${missed}`,
    suggestedAction: `Have ${name} compare its reply with the one before it; if they are equal, let it answer "${message}" in another way.`,
    evidence: [
      { kind: 'text', spanId: last.spanId, path: 'output', quote: cut(reply, 250), value: null },
      ...messages.slice(-3).map((text) => ({
        kind: 'source',
        spanId: last.spanId,
        path: 'input_messages',
        quote: cut(text, 250),
        value: null,
      })),
    ],
    fixes: [
      ruleFix(trace, last.agent, {
        title: 'Answer the last message of the user',
        rule: 'Begin with what the last message of the user adds or corrects. Never send a reply that you have already sent in this conversation.',
        why: `${name} did not change its reply after "${message}".`,
      }),
      repairFix(last.agent, {
        title: 'Send the message again with the reply that ignored it',
        repair: `You replied "${quote}" before, and the user then wrote "${message}". Answer this message.`,
        why: 'The reply was written before the user sent this message.',
      }),
    ],
    key: name,
  };
}
