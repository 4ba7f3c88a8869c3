import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, lengthInLetters, oneLine, stepsText, words } from '../_kit/text.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { workedBetween } from '../_readings/conduct/handled-turn.ts';
import { repairFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { asksForMore, closingQuestion, hasQuestion } from './closing-question.ts';

/** The run ended with replies that all end with the same question, although the user wrote something else each time. */
export interface SameQuestion {
  question: string;
  /** The replies, oldest first. */
  replies: readonly ConversationTurn[];
  /** The last message of the user. */
  message: string;
}

/** Services ask for a name or a number up to three times before they give up. */
const MIN_REPLIES = 4;
const MIN_LETTERS = 20;

/** Null if several agents answer, or if the user repeats a message. A call that worked between two replies ends the series. */
export function findSameQuestion(trace: Trace): SameQuestion | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.status === 'error') return null;
  const turns = conversation(trace).filter(({ by, text }) => by !== 'system' && text.trim() !== '');
  const question = turns.at(-1)?.by === 'agent' ? closingQuestion(turns.at(-1)!.text) : null;
  if (question === null || lengthInLetters(question) < MIN_LETTERS || asksForMore(question)) return null;
  const replies: ConversationTurn[] = [];
  const messages: string[] = [];
  for (const turn of turns.toReversed()) {
    if (turn.by === 'user') messages.push(turn.text.trim());
    else if (turn.calls.length > 0 || messages.length < replies.length || closingQuestion(turn.text) !== question)
      break;
    else if (replies.length > 0 && workedBetween(trace, turn.step, replies[0]!.step)) break;
    else replies.unshift(turn);
  }
  const answered = messages.slice(0, replies.length);
  const isOneAgent = new Set(replies.map(({ agent }) => agent)).size === 1;
  if (replies.length < MIN_REPLIES || !isOneAgent || new Set(answered).size < replies.length) return null;
  return isUnanswered(question, replies, answered) ? { question, replies, message: answered[0]! } : null;
}

/** A shorter text next to the question, such as `Yes.`, can answer several messages. */
const MIN_REST_LETTERS = 12;
/** Nothing, or the label of an item. */
const BARE = /^[\p{P}\s]{0,10}[A-Za-z]?[\p{P}\s]{0,10}$/u;

/**
 * Whether the messages were not answered: most of them are questions, and the last reply consists of its question only, or
 * what precedes the question is nearly the same in all replies.
 */
function isUnanswered(question: string, replies: readonly ConversationTurn[], messages: readonly string[]): boolean {
  if (2 * messages.filter(hasQuestion).length <= messages.length) return false;
  const rests = replies.map(({ text }) => text.trim().slice(0, -question.length));
  const last = rests.at(-1)!;
  if (BARE.test(last)) return true;
  const frame = new Set(words(last));
  return (
    lengthInLetters(last) >= MIN_REST_LETTERS &&
    rests.every((rest) => rest === last || hasFrame(new Set(words(rest)), frame))
  );
}

/** Minimum share of the words of the shorter text that both contain. Answers to different messages have other words. */
const MIN_SHARED_WORDS = 0.5;
const MIN_SHARED = 5;

function hasFrame(text: ReadonlySet<string>, frame: ReadonlySet<string>): boolean {
  const shared = [...text].filter((word) => frame.has(word)).length;
  return shared >= MIN_SHARED && shared >= MIN_SHARED_WORDS * Math.min(text.size, frame.size);
}

export function sameQuestionDetection(
  trace: Trace,
  { question, replies, message }: SameQuestion,
): DetectionDraft<'same_question'> {
  const last = replies.at(-1)!;
  const name = last.agent ?? trace.steps[last.step]!.name;
  const steps = [...new Set(replies.map(({ step }) => step))];
  const asked = cut(oneLine(question), 120);
  const latest = cut(oneLine(message), 100);
  return {
    subtype: 'same_question',
    score: 0.66,
    step: replies[1]!.step,
    steps,
    agent: last.agent,
    explanation: `The last ${replies.length} replies of ${name} (${stepsText(steps)}) end with the same question: "${asked}". The user wrote something else each time, last "${latest}", and the run ended.`,
    suggestedAction: `Have ${name} answer what it can without the answer to this question, or hand the user to a person after the second time.`,
    evidence: [
      {
        kind: 'text',
        spanId: trace.steps[last.step]!.spanId,
        path: 'output',
        quote: cut(last.text.trim(), 250),
        value: null,
      },
    ],
    fixes: [
      ruleFix(trace, last.agent, {
        title: 'Ask for the same thing at most twice',
        rule: 'If the user does not answer a question of yours, answer what you can without it, or say what you cannot do without it. Never ask the same question a third time.',
        why: `${name} asked the same question ${replies.length} times.`,
      }),
      repairFix(last.agent, {
        title: 'Answer the message of the user',
        repair: `You asked "${asked}" before, and the user wrote "${latest}". Answer this message as far as you can without the answer to your question.`,
        why: 'The user did not answer the question.',
      }),
    ],
    key: name,
  };
}
