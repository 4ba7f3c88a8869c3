import type { Step, Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_kit/calls.ts';

/** So many letters and digits of a result tell it from others. */
const READ_LETTERS = 40;
const FEWEST_LETTERS = 12;
/** Fewer messages are no conversation that results are kept in. */
const FEWEST_MESSAGES = 2;

/**
 * The model call between two equal calls that was sent without the result of the first; null where it was sent it, where its
 * messages are not recorded, and where the result is too short to be looked for.
 */
export function callWithoutResult(trace: Trace, first: ToolUse, second: ToolUse): Step | null {
  const wanted = lettersOf(first.resultText).slice(0, READ_LETTERS);
  if (wanted.length < FEWEST_LETTERS) return null;
  const asking = trace.steps.findLast(
    ({ index, kind, agent, inputMessages }) =>
      index > first.step &&
      index < second.step &&
      kind === 'llm' &&
      agent === second.agent &&
      inputMessages.length >= FEWEST_MESSAGES,
  );
  if (asking === undefined) return null;
  return asking.inputMessages.some(({ content }) => lettersOf(content).includes(wanted)) ? null : asking;
}

function lettersOf(text: string): string {
  return text.replace(/\\[nrt"]/g, '').replace(/[^\p{L}\p{N}]+/gu, '');
}
