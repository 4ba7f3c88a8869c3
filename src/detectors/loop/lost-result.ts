import type { Step, Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';

/** Number of letters and digits that identify a result. */
const READ_LETTERS = 40;
const MIN_LETTERS = 12;
/** With fewer messages, there is no conversation that keeps results. */
const MIN_MESSAGES = 2;

/**
 * The model call between two equal calls whose input lacks the result of the first; null if it contains the result, if its
 * messages are not recorded, or if the result is too short to search for.
 */
export function callWithoutResult(trace: Trace, first: ToolUse, second: ToolUse): Step | null {
  const start = lettersOf(first.resultText).slice(0, READ_LETTERS);
  if (start.length < MIN_LETTERS) return null;
  const request = trace.steps.findLast(
    ({ index, kind, agent, inputMessages }) =>
      index > first.step &&
      index < second.step &&
      kind === 'llm' &&
      agent === second.agent &&
      inputMessages.length >= MIN_MESSAGES,
  );
  if (request === undefined) return null;
  return request.inputMessages.some(({ content }) => lettersOf(content).includes(start)) ? null : request;
}

function lettersOf(text: string): string {
  return text.replace(/\\[nrt"]/g, '').replace(/[^\p{L}\p{N}]+/gu, '');
}
