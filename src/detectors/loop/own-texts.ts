import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { counted } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { obstacleOf, printsOwnText } from '../_readings/conduct/call-obstacle.ts';

/** A run that ends with texts of its own sent as commands, although an earlier call had returned a result. */
export interface OwnTexts {
  /** The last call with a result that is not such a text. */
  result: ToolUse;
  /** Calls that are such a text, from the first one on. */
  texts: readonly [ToolUse, ...ToolUse[]];
}

/** Null if the last call is another one, or if no call had a result before the first text. */
export function ownTextsAtEnd(trace: Trace, uses: readonly ToolUse[]): OwnTexts | null {
  const last = uses.at(-1);
  if (!hasKnownEnd(trace) || last === undefined || !printsOwnText(last)) return null;
  const [first, ...others] = uses.filter((use) => isOwnText(trace, use));
  const isResult = (use: ToolUse) =>
    use.command !== null &&
    !PRINTS.test(use.command) &&
    use.resultText.trim() !== '' &&
    obstacleOf(trace, use).kind === 'result';
  const result = uses.findLast(isResult);
  if (first === undefined || result === undefined || !uses.some((use) => use.step < first.step && isResult(use)))
    return null;
  return { result, texts: [first, ...others] };
}

const PRINTS = /^\s{0,8}(?:echo|printf)\b/;

function isOwnText(trace: Trace, use: ToolUse): boolean {
  return printsOwnText(use) || obstacleOf(trace, use).kind === 'stray_text';
}

/** One sentence with a leading space. */
export function ownTextsText({ result, texts }: OwnTexts): string {
  const last = texts.at(-1)!;
  return ` ${result.name} returned a result at step ${result.step}. ${counted(texts.length, 'call')} from step ${texts[0].step} to step ${last.step} are texts of the agent that were run as commands, and the output of the last one replaced that result.`;
}
