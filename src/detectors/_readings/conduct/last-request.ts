import type { Trace } from '../../../core/trace.ts';

/** The last request to the agent of a step: the newest user message of its input, else the message before the step. */
export function lastRequestBefore({ steps }: Trace, step: number): string {
  const given = steps[step]!.inputMessages.findLast(({ role }) => role === 'user')?.content;
  if (given !== undefined && given !== '') return given;
  const before = steps.slice(Math.max(0, step - MAX_STEPS_BACK), step).reverse();
  const nearest = before.find(({ kind, output }) => (kind === 'message' || kind === 'llm') && output.trim() !== '');
  return nearest?.kind === 'message' ? nearest.output : '';
}

const MAX_STEPS_BACK = 3;
