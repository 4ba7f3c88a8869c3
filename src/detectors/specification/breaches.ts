import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { languageOf } from '../_readings/conduct/language.ts';
import { type Constraint, constraintsIn } from './constraints.ts';

export type SpecificationBreach = 'too_long' | 'wrong_language' | 'forbidden_word' | 'forbidden_tool';

export interface FoundBreach {
  subtype: SpecificationBreach;
  score: number;
  step: number;
  agent: string | null;
  constraint: Constraint;
  /** The actual situation, as the rest of a sentence. */
  what: string;
  quote: string;
  path: string;
}

/** Constraints of the task that the answer or a call violates. */
export function breachesOf(trace: Trace): FoundBreach[] {
  const uses = toolUses(trace);
  const tools = new Set([...uses.map(({ name }) => name), ...trace.toolDefinitions.map(({ name }) => name)]);
  const answer = agentTurns(trace).at(-1);
  const isFinal = answer !== undefined && answer.calls.length === 0 && answer.text !== '' && hasKnownEnd(trace);
  // If tools change something, "at most 50 words" is often about their input.
  const isAboutAnswer = isFinal && !uses.some(({ changesState }) => changesState);
  return constraintsIn(taskOf(trace), tools).flatMap((constraint) => {
    if (constraint.kind === 'forbidden_tool') return forbiddenCall(trace, constraint);
    return isAboutAnswer ? answerBreach(answer, constraint) : [];
  });
}

/** The request: the task, and the first message if it contains more than the task. */
function taskOf(trace: Trace): string {
  const [first] = conversation(trace).filter(({ by }) => by !== 'system');
  const task = trace.task ?? '';
  return first?.text.includes(task) ? first.text : task;
}

function forbiddenCall(trace: Trace, constraint: Constraint & { kind: 'forbidden_tool' }): FoundBreach[] {
  const use = toolUses(trace).find(({ name }) => name === constraint.name);
  if (use === undefined) return [];
  const what = `${use.name} was called at step ${use.step}`;
  return [
    {
      subtype: 'forbidden_tool',
      score: 0.8,
      step: use.step,
      agent: use.agent,
      constraint,
      what,
      quote: use.argumentsText,
      path: 'tool.arguments',
    },
  ];
}

function answerBreach(turn: ConversationTurn, constraint: Constraint): FoundBreach[] {
  const at = { step: turn.step, agent: turn.agent, constraint, path: 'output' };
  const text = turn.text.trim();
  if (constraint.kind === 'length') {
    const length = measured(text, constraint.unit);
    if (length <= tolerance(constraint.limit, constraint.unit)) return [];
    const score = length > 1.5 * constraint.limit ? 0.75 : 0.6;
    return [{ ...at, subtype: 'too_long', score, what: `the answer has ${length} ${constraint.unit}`, quote: text }];
  }
  if (constraint.kind === 'language') {
    const language = languageOf(text);
    if (language === null || language === constraint.language) return [];
    return [{ ...at, subtype: 'wrong_language', score: 0.72, what: `the answer is in ${language}`, quote: text }];
  }
  if (constraint.kind !== 'forbidden_word') return [];
  const found = sentenceWith(text, constraint.word);
  return found === null
    ? []
    : [{ ...at, subtype: 'forbidden_word', score: 0.72, what: `the answer says "${constraint.word}"`, quote: found }];
}

function measured(text: string, unit: 'words' | 'characters' | 'sentences'): number {
  if (unit === 'characters') return [...text].length;
  if (unit === 'words') return text.split(/\s+/).length;
  return text.split(/[.!?。！？](?:\s|$)/u).filter((part) => /\p{L}{2}/u.test(part)).length;
}

/** Tolerance, since no one counts exactly: ten percent more, or one sentence more. */
function tolerance(limit: number, unit: string): number {
  return unit === 'sentences' ? limit + 1 : Math.max(limit + 2, limit * 1.1);
}

function sentenceWith(text: string, word: string): string | null {
  const term = word.toLowerCase();
  return (
    text.split(/(?<=[.!?])\s|\n/).find((sentence) => {
      const lower = sentence.toLowerCase();
      const at = lower.indexOf(term);
      return (
        at !== -1 && !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '') && !/[\p{L}\p{N}]/u.test(lower[at + term.length] ?? '')
      );
    }) ?? null
  );
}
