import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { chatParticipants } from '../conduct/participants.ts';
import { isUserTurn } from './actors.ts';
import { newInformationSteps } from './new-information.ts';
import type { Turns } from './repetition.ts';

export const turnsIn = memoizeByRef((trace: Trace): Turns => {
  const user = [...newUserTurns(trace), ...newRequests(trace)].sort((a, b) => a - b);
  return {
    user,
    newInformation: [...user, ...newInformationSteps(trace)].sort((a, b) => a - b),
    model: trace.steps.filter((step) => step.kind === 'llm').map((step) => step.index),
  };
});

/** New user messages. A prompt that is sent again adds nothing. */
function newUserTurns(trace: Trace): number[] {
  const seen = new Set<string>();
  const participants = chatParticipants(trace);
  const turns = trace.steps.filter((step) => isUserTurn(step) && !participants.has(step.agent ?? ''));
  return turns.flatMap((step) => {
    const isNew = !seen.has(step.output);
    seen.add(step.output);
    return isNew ? [step.index] : [];
  });
}

const MAX_REQUESTS = 200;
const REQUEST_CHARACTERS = 2_000;
const SAID_CHARACTERS = 200_000;

/**
 * Agent spans that begin with a request of a user or a scheduler that is new, such as `It is 10:03. Check the queue`. A text
 * that an earlier step wrote or passed to a tool is the work of another agent.
 */
function newRequests(trace: Trace): number[] {
  const seen = new Set<string>();
  const begun = new Set<number>();
  const found: number[] = [];
  let said = '';
  let unread: string[] = [];
  // Most runs have few such spans, and the texts are joined only for them.
  const isSaid = (text: string) => {
    said = `${said}${unread.join('')}`.slice(-SAID_CHARACTERS);
    unread = [];
    return said.includes(text);
  };
  for (const { kind, agent, parent, inputMessages, input, output } of trace.steps) {
    if (kind === 'llm' && parent !== null && trace.steps[parent]!.kind === 'agent' && !begun.has(parent)) {
      begun.add(parent);
      const text = inputMessages.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
      const key = `${agent}\n${text}`;
      const mayBeNew = begun.size > 1 && text !== '' && text.length <= REQUEST_CHARACTERS && !seen.has(key);
      if (mayBeNew && !isSaid(text)) found.push(parent);
      seen.add(key);
      if (begun.size > MAX_REQUESTS) break;
    }
    if (kind === 'tool' || kind === 'llm' || kind === 'message')
      unread.push(`\n${kind === 'tool' ? input : ''}\n${output}`);
  }
  return found;
}
