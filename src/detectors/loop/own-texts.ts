import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { counted, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { obstacleOf, printsOwnText } from '../_readings/conduct/call-obstacle.ts';

/** A run that ends with texts of its own sent as commands, although an earlier call had returned a result. */
export interface OwnTexts {
  /** The first of the equal calls with the last result that is not such a text. */
  result: ToolUse;
  /** Later calls with that result. */
  again: readonly ToolUse[];
  /** Calls that should print a text and returned something else. */
  rejected: readonly ToolUse[];
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
  const lastResult = uses.findLast(isResult);
  if (first === undefined || lastResult === undefined || !uses.some((use) => use.step < first.step && isResult(use)))
    return null;
  const [result, ...again] = uses.filter(
    (use) => use.command === lastResult.command && use.resultText === lastResult.resultText,
  ) as [ToolUse, ...ToolUse[]];
  const rejected = uses.filter(
    (use) => use.step > first.step && PRINTS.test(use.command ?? '') && !isOwnText(trace, use),
  );
  return { result, again, texts: [first, ...others], rejected };
}

const PRINTS = /^\s{0,8}(?:echo|printf)\b/;

function isOwnText(trace: Trace, use: ToolUse): boolean {
  return printsOwnText(use) || obstacleOf(trace, use).kind === 'stray_text';
}

/** One sentence with a leading space. */
export function ownTextsText({ result, again, texts, rejected }: OwnTexts): string {
  const last = texts.at(-1)!;
  const repeated = again.length === 0 ? '' : `, and the same again at ${stepsText(again.map(({ step }) => step))}`;
  const failed =
    rejected.length === 0
      ? ''
      : ` ${counted(rejected.length, 'other call that prints a text', 'other calls that print a text')} returned something else (${stepsText(rejected.map(({ step }) => step))}).`;
  return ` ${result.name} returned a result at step ${result.step}${repeated}. ${counted(texts.length, 'call')} from step ${texts[0].step} to step ${last.step} are texts of the agent that were run as commands, and the output of the last one replaced that result.${failed}`;
}
