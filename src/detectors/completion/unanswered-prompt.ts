import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { counted, cut } from '../_kit/text.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** Shorter messages also end conversations ("ok", "thanks"). */
const MIN_PROMPT_LENGTH = 20;
/** If the message was answered only once before, it may be a second look at the same result. */
const MIN_ANSWERED = 2;

/**
 * A chat whose last message repeats an earlier message of its sender word for word, and another agent answered the earlier
 * one: the message requests one more turn, and no turn follows. Chats that reach their turn limit end like this.
 */
export function unansweredPrompt(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error') return null;
  const messages = trace.steps.filter(({ kind, output }) => (kind === 'message' || kind === 'llm') && output !== '');
  const last = messages.at(-1);
  if (last?.kind !== 'message' || last.index !== trace.steps.length - 1 || last.output.length < MIN_PROMPT_LENGTH)
    return null;
  const answered = messages.slice(0, -1).filter((step, at) => isSame(step, last) && isAnswer(messages[at + 1]!, last));
  if (answered.length < MIN_ANSWERED) return null;
  const name = last.agent ?? last.name;
  const promptText = cut(last.output.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'unanswered_prompt',
    // The message may close the chat, such as an automatic thank-you: only info.
    score: 0.5,
    step: last.index,
    steps: [...answered.map(({ index }) => index), last.index],
    agent: last.agent,
    explanation: `The run ended at step ${last.index} on a message of ${name} that nobody answered ("${promptText}"). ${name} had sent the same message ${counted(answered.length, 'time')} before, and each time another turn followed.`,
    suggestedAction: `Check the limit of turns and the condition that ends the chat with ${name}.`,
    evidence: [{ kind: 'message', step: last.index, path: 'output', quote: last.output }],
    fix: checkFix('workflow_change', {
      title: 'End the chat with an answer',
      target: `limit of turns of the chat with ${name}`,
      description: `In the last turn that the limit allows, ask for the best answer so far instead of sending the usual message of ${name}.`,
      after: 'in the last turn: ask for the final answer, or for what is missing, and end the chat with it',
      why: 'The last message of the chat has no answer.',
    }),
    key: name,
  };
}

function isSame(step: Step, other: Step): boolean {
  return (
    step.kind === 'message' &&
    step.agent === other.agent &&
    withoutVolatile(step.output) === withoutVolatile(other.output)
  );
}

function isAnswer(step: Step, prompt: Step): boolean {
  return step.agent !== prompt.agent && step.index < prompt.index;
}
