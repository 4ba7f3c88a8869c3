import type { Trace } from '../../../core/trace.ts';
import { agentTurns, conversation } from './conversation.ts';

const QUESTION_END = /[?？؟]\P{L}{0,10}$/u;

/** Whether the last message of the run is one of an agent and ends with a question: the run waits for the user. */
export function endsWithQuestion(trace: Trace): boolean {
  const last = agentTurns(trace).at(-1);
  if (last === undefined || !QUESTION_END.test(last.text)) return false;
  return !conversation(trace).some(({ by, step }) => by === 'user' && step > last.step);
}
