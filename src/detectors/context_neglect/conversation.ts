import type { Step, Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';

/** A message between a user and the agent that serves them. */
export interface Line {
  step: Step;
  isUser: boolean;
  text: string;
}

/** The texts of the lines so far, by speaker. */
interface KnownTexts {
  user: Set<string>;
  agent: Set<string>;
}

/**
 * Messages between user and agent, in order, without tool calls and system texts. Messages that only the history of a model
 * call contains are used if a single agent works: with several agents, messages of other agents also have the user role.
 * Computed once per trace.
 */
export const conversationOf = memoizeByRef((trace: Trace): readonly Line[] => {
  const readsHistory = trace.agents.length <= 1;
  const known: KnownTexts = { user: new Set(), agent: new Set() };
  return trace.steps.flatMap((step): Line[] => {
    const history = readsHistory && step.kind === 'llm' ? historyLines(step, known) : [];
    const text = step.output.trim();
    if (text === '') return history;
    if (isUserLine(step)) return [...history, lineOf(step, true, text, known)];
    const isAnswer = step.kind === 'llm' && step.outputMessages.every(({ toolCalls }) => toolCalls.length === 0);
    return isAnswer ? [...history, lineOf(step, false, text, known)] : history;
  });
});

function lineOf(step: Step, isUser: boolean, text: string, known: KnownTexts): Line {
  (isUser ? known.user : known.agent).add(text);
  return { step, isUser, text };
}

/** Messages of model inputs that no earlier step contains. */
function historyLines(step: Step, known: KnownTexts): Line[] {
  return step.inputMessages.flatMap(({ role, content, toolCalls }): Line[] => {
    const text = content.trim();
    const isUser = role === 'user';
    if (text === '' || (!isUser && role !== 'assistant') || toolCalls.length > 0) return [];
    if ((isUser ? known.user : known.agent).has(text)) return [];
    return [lineOf(step, isUser, text, known)];
  });
}

function isUserLine({ kind, name, agent, outputMessages }: Step): boolean {
  const isMessage = kind === 'message' || (kind === 'other' && outputMessages.length > 0);
  return isMessage && [name, agent, outputMessages[0]?.role].includes('user');
}

/** Sentences that end in a question mark. */
export function questionsIn(text: string): string[] {
  if (!/[?？]/.test(text)) return [];
  return text
    .split(/(?<=[.!?。！？])|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 12 && sentence.length <= 300 && /[?？]$/.test(sentence));
}
