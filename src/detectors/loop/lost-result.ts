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

/** Letters and digits, the same for the notations of different JSON writers: `100.0` and 100, `\u00f6` and ö. */
function lettersOf(text: string): string {
  return text
    .replace(/\\{1,4}u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt"]/g, '')
    .replace(/(?<=\d)\.(\d{0,15}?)0{1,15}(?!\d)/g, (_, decimals: string) => (decimals === '' ? '' : `.${decimals}`))
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
