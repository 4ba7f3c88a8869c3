import type { Trace } from '../../../core/trace.ts';
import { chatParticipants } from '../conduct/participants.ts';
import { isUserTurn } from './actors.ts';
import { newInformationSteps } from './new-information.ts';
import type { Turns } from './repetition.ts';

export function turnsIn(trace: Trace): Turns {
  const user = newUserTurns(trace);
  return {
    user,
    newInformation: [...user, ...newInformationSteps(trace)].sort((a, b) => a - b),
    model: trace.steps.filter((step) => step.kind === 'llm').map((step) => step.index),
  };
}

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
