import type { Step, Trace } from '../../core/trace.ts';
import { cut, oneLine, stepsText } from '../_kit/text.ts';

/** Rounds of answers of one agent, each followed by the same message. */
export interface RejectedRounds {
  /** The equal messages. */
  replies: readonly [Step, Step, ...Step[]];
  /** The first answer of the first round. */
  begin: Step;
}

/** Null if another message, or none, follows the other answers of the agent. */
export function rejectedRounds(trace: Trace, answers: readonly Step[]): RejectedRounds | null {
  const last = answers.at(-1)!;
  const isOwn = (step: Step | undefined) => step?.kind === 'llm' && step.agent === last.agent;
  let at = last.index + 1;
  while (isOwn(trace.steps[at])) at += 1;
  const reply = trace.steps[at];
  if (reply?.kind !== 'message' || reply.output.trim() === '') return null;
  const text = oneLine(reply.output);
  const replies = trace.steps.filter(
    (step) => step.kind === 'message' && oneLine(step.output) === text && isOwn(trace.steps[step.index - 1]),
  );
  const [one, two, ...more] = replies;
  if (one === undefined || two === undefined) return null;
  let start = one.index - 1;
  while (isOwn(trace.steps[start - 1])) start -= 1;
  return { replies: [one, two, ...more], begin: trace.steps[start]! };
}

const REPLY_CHARACTERS = 140;

/** Two sentences with a leading space. */
export function rejectedRoundsText({ replies, begin }: RejectedRounds, name: string): string {
  return ` The same message follows ${replies.length} rounds of answers of ${name} (${stepsText(replies.map(({ index }) => index))}): "${cut(oneLine(replies[0].output).replace(/\.$/, ''), REPLY_CHARACTERS)}". The first round begins at step ${begin.index}.`;
}

export function rejectedRoundsAdvice(
  { replies }: RejectedRounds,
  name: string,
  answer: string,
  author: string,
): string {
  return `Let the check that returns "${cut(oneLine(replies[0].output), 80)}" say which part of the answer of ${name} ("${answer}") it does not accept and why, send that to ${author}, and end the run after the second equal message: it came ${replies.length} times.`;
}
