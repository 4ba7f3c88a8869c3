import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { repairFix, ruleFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** The user, or a program in the role of the user, says that an answer is wrong. */
const REJECTS =
  /^\W{0,5}(?:wrong|incorrect)\b|\b(?:answer|solution|result|output|code|response)\b[^.!?\n]{0,30}\b(?:wrong|incorrect|not correct|not right|rejected)\b|\b(?:that|this|it)(?:['’]?s| is| was) (?:wrong|incorrect|not (?:right|correct))\b|(?<!\p{L})(?:falsch|nicht richtig|faux|fausse|incorrect[aeo]|incorreto|errad[oa]|sbagliat[oa]|onjuist|неверно|неправильно)(?!\p{L})|错误|不对|不正确|間違|不正解|틀렸/iu;
/** A condition, a question or a denial. */
const DOUBTS =
  /[?？]|\b(?:if|whether|not|n['’]t) (?:it |this |that |the answer )?(?:is |be |was )?(?:wrong|incorrect)\b|\bnothing\b/iu;

const READ_CHARACTERS = 300;
/** A long message contains material, such as a log. */
const MAX_REJECTION_LENGTH = 800;

/** The verdict of an agent that checks the message of another one, at its start or as a field. */
const REFUSES =
  /^\W{0,5}(?:reject(?:ed)?|fail(?:ed)?|not (?:approved|accepted))\b|^\s{0,5}\{[^}]{0,200}"(?:approved?|accept(?:ed)?|passe?[sd]?|valid|correct|is_?(?:approved|valid|correct))"\s{0,3}:\s{0,3}false|^\s{0,5}\{[^}]{0,200}"(?:verdict|decision|status|result)"\s{0,3}:\s{0,3}"(?:reject(?:ed)?|fail(?:ed)?|wrong|incorrect)"/i;
/** Shorter messages, such as a greeting, may be equal by chance. */
const MIN_MESSAGE_LENGTH = 20;

/**
 * The user or another agent rejected an answer, and the run ended with the same answer: the same code, the same text between answer
 * tags, the same value in `\boxed{}`, or the same message. Null if the user wrote something after the last answer, or if the
 * agent that rejected it said anything else later.
 */
export function rejectedAnswer(trace: Trace): Verdict | null {
  const turns = conversation(trace).filter(({ by, text }) => (by === 'user' || by === 'agent') && text.trim() !== '');
  const last = turns.at(-1);
  if (last === undefined || last.by !== 'agent' || !hasKnownEnd(trace) || trace.status === 'error') return null;
  for (const [at, rejection] of turns.entries()) {
    const rejected = turns[at - 1];
    if (rejected?.by !== 'agent' || rejected === last || !isRejectionOf(rejection, rejected)) continue;
    const answer = sharedAnswer(rejected, last);
    if (answer === null) continue;
    const isWithdrawn =
      rejection.by === 'agent' && turns.some((turn, nth) => nth > at && saysOtherwise(turn, rejection));
    if (!isWithdrawn) return verdictOf(trace, rejected, rejection, last, answer);
  }
  return null;
}

function isRejectionOf(turn: ConversationTurn, rejected: ConversationTurn): boolean {
  if (turn.by === 'user') return isRejection(turn);
  return turn.agent !== rejected.agent && turn.agent !== null && turn.calls.length === 0 && isRefusal(turn);
}

function saysOtherwise(turn: ConversationTurn, { agent }: ConversationTurn): boolean {
  return turn.by === 'agent' && turn.agent === agent && !isRefusal(turn);
}

/** The answer that both messages give: what marks it, of one agent, or the whole message. */
function sharedAnswer(rejected: ConversationTurn, last: ConversationTurn): string | null {
  const answer = answerIn(last.text);
  if (answer !== null) return rejected.agent === last.agent && answerIn(rejected.text) === answer ? answer : null;
  const message = oneLine(last.text);
  return message.length >= MIN_MESSAGE_LENGTH && oneLine(rejected.text) === message && !/[?？]$/.test(message)
    ? message
    : null;
}

function isRejection({ text }: ConversationTurn): boolean {
  const head = text.trim().slice(0, READ_CHARACTERS);
  return text.length <= MAX_REJECTION_LENGTH && REJECTS.test(head) && !DOUBTS.test(head);
}

function isRefusal(turn: ConversationTurn): boolean {
  return turn.text.length <= MAX_REJECTION_LENGTH && (REFUSES.test(turn.text) || isRejection(turn));
}

const BLOCK = /```[^\n]{0,40}\n([^`]{1,20000})```/g;
const TAGS = ['solution', 'answer', 'final_answer', 'result', 'response'];
const BOXED = /\\boxed\{([^{}]{1,200})\}/g;

/** The part of a message that is its answer, without spaces at line ends; null if nothing marks one. */
function answerIn(text: string): string | null {
  const marked = taggedText(text) ?? [...text.matchAll(BLOCK)].at(-1)?.[1] ?? [...text.matchAll(BOXED)].at(-1)?.[1];
  const lines = (marked ?? '').split('\n').map((line) => line.trimEnd());
  const answer = lines.join('\n').trim();
  return answer === '' ? null : answer;
}

/** The last text between answer tags. */
function taggedText(text: string): string | null {
  const lower = text.toLowerCase();
  for (const tag of TAGS) {
    const end = lower.lastIndexOf(`</${tag}>`);
    const start = end === -1 ? -1 : lower.lastIndexOf(`<${tag}>`, end);
    if (start !== -1) return text.slice(start + tag.length + 2, end);
  }
  return null;
}

function verdictOf(
  trace: Trace,
  rejected: ConversationTurn,
  rejection: ConversationTurn,
  last: ConversationTurn,
  answer: string,
): Verdict {
  const name = last.agent ?? trace.steps[last.step]!.name;
  const quote = cut(oneLine(rejection.text), 140);
  const by = rejection.by === 'user' ? 'the user' : rejection.agent;
  const what = cut(oneLine(answer), 100);
  return {
    subtype: 'rejected_answer_repeated',
    score: 0.78,
    step: last.step,
    steps: [last.step, rejected.step, rejection.step],
    agent: last.agent,
    explanation: `${rejected.agent ?? name} gave "${what}" at step ${rejected.step}, and ${by} rejected it at step ${rejection.step}: "${quote}". The run ended at step ${last.step} with the same answer, without a change.`,
    suggestedAction: `Have ${name} state which part of the answer of step ${rejected.step} it changes before it answers again, and compare the new answer with the rejected one. If they are equal, let it try another approach or say that it has no other answer.`,
    evidence: [
      { kind: 'text', step: last.step, path: 'output', quote: cut(answer, 250) },
      { kind: 'text', step: rejection.step, path: 'output', quote: cut(rejection.text.trim(), 250) },
    ],
    causeFix: repairFix(last.agent, {
      title: 'Do not accept a rejected answer again',
      repair: `The answer "${what}" was rejected. Find out what is wrong with it, and give an answer that differs from it.`,
      why: `The answers at steps ${rejected.step} and ${last.step} are equal.`,
    }),
    fix: ruleFix(trace, last.agent, {
      title: 'Compare a new answer with the rejected one',
      rule: 'After an answer was rejected, say what was wrong with it and what you change. Never give the same answer again.',
      why: `${name} gave the rejected answer again.`,
    }),
    key: name,
  };
}
