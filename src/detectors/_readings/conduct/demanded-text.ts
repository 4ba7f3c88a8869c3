import { cut, oneLine } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';

/**
 * An error that demands how a text begins or ends, with that text in quotation marks. A demanded state is not one: it may be
 * that of something else than an argument.
 */
const DEMANDS =
  /\b(?:(?:first|last) line\b[^"'\n]{0,60} (?:must|has to|should|needs to) be|(?:must|has to|should|needs to) (?:start|begin|end) with)(?: the text)? {0,2}["'`]([^"'`\n]{2,60})["'`]/i;

/** The text that an error demands of an argument, if no argument of the call has it; null for any other error. */
export function demandedText({ argumentsText }: ToolUse, line: string): string | null {
  const text = DEMANDS.exec(line)?.[1];
  return text === undefined || argumentsText.includes(text) ? null : text;
}

/** The advice to correct the argument; null if the error demands no text. */
export function demandedAdvice(demanded: string | undefined, use: ToolUse): string | null {
  if (demanded === undefined) return null;
  const passed = cut(oneLine(use.argumentsText), 100);
  const given = passed === '' ? 'no argument' : `${passed}, which does not have it`;
  return `Have ${use.agent ?? 'the agent'} send ${use.name} a text that has "${demanded}", as the error demands, or not call it: step ${use.step} passed ${given}.`;
}
