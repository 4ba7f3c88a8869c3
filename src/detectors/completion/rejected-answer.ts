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

/**
 * The user rejected an answer, and the run ended with the same answer: the same code, the same text between answer tags, or
 * the same value in `\boxed{}`. Null if the user wrote something after the last answer.
 */
export function rejectedAnswer(trace: Trace): Verdict | null {
  const turns = conversation(trace).filter(({ by }) => by === 'user' || by === 'agent');
  const last = turns.at(-1);
  if (last === undefined || last.by !== 'agent' || !hasKnownEnd(trace) || trace.status === 'error') return null;
  const answer = answerIn(last.text);
  if (answer === null) return null;
  for (const [at, rejection] of turns.entries()) {
    const rejected = turns[at - 1];
    if (rejected?.by !== 'agent' || rejection.by !== 'user' || !isRejection(rejection)) continue;
    if (rejected.agent === last.agent && rejected !== last && answerIn(rejected.text) === answer)
      return verdictOf(trace, rejected, rejection, last, answer);
  }
  return null;
}

function isRejection({ text }: ConversationTurn): boolean {
  const head = text.trim().slice(0, READ_CHARACTERS);
  return text.length <= MAX_REJECTION_LENGTH && REJECTS.test(head) && !DOUBTS.test(head);
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
  const what = cut(oneLine(answer), 100);
  return {
    subtype: 'rejected_answer_repeated',
    score: 0.78,
    step: last.step,
    steps: [last.step, rejected.step, rejection.step],
    agent: last.agent,
    explanation: `${name} gave "${what}" at step ${rejected.step}, and the user rejected it at step ${rejection.step}: "${quote}". The run ended at step ${last.step} with the same answer, without a change.`,
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
