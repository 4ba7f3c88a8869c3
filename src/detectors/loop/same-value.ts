import type { Trace } from '../../core/trace.ts';
import { cut, lettersAndDigits, oneLine, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';

const MIN_CHARACTERS = 6;
const MAX_CHARACTERS = 400;

/** A value that several commands return, perhaps in another form. */
export interface SameValue {
  /** The result of the repeated command. */
  value: string;
  /** Step of the repeated command. */
  step: number;
  /** Steps of other commands with the same value. */
  others: readonly number[];
}

/**
 * Other commands of the same tool whose results are equal to that of a repeated command except for punctuation and white
 * space; null without such commands.
 * @param isEqualCounted whether results that are equal as they are count, too
 */
export function sameValue(
  trace: Trace,
  uses: readonly ToolUse[],
  repeated: readonly ToolUse[],
  isEqualCounted: boolean,
): SameValue | null {
  const shown = repeated.find((use) => isValue(trace, use));
  if (shown === undefined) return null;
  const text = shown.resultText.trim();
  const value = lettersAndDigits(text);
  const requests = new Set(repeated.map(({ argumentsText }) => argumentsText));
  const others = uses.filter(
    (use) =>
      use.name === shown.name &&
      use.agent === shown.agent &&
      !requests.has(use.argumentsText) &&
      (isEqualCounted || use.resultText.trim() !== text) &&
      lettersAndDigits(use.resultText) === value &&
      isValue(trace, use),
  );
  if (others.length === 0) return null;
  return { value: cut(oneLine(text), VALUE_CHARACTERS), step: shown.step, others: others.map(({ step }) => step) };
}

const VALUE_CHARACTERS = 80;

/** One sentence with a leading space; empty for null. */
export function sameValueText(found: SameValue | null): string {
  if (found === null) return '';
  const { value, step, others } = found;
  return ` Other commands returned the same value as step ${step} ("${value}") at ${stepsText(others)}.`;
}

/** Advice for a run whose commands return one value again and again. */
export function sameValueAdvice(who: string, { value, step, others }: SameValue): string {
  const steps = [...others, step].sort((a, b) => a - b);
  return `Have ${who} end the run with "${value}", which ${stepsText(steps)} return, or change how it is calculated.`;
}

function isValue(trace: Trace, use: ToolUse): boolean {
  const { command, isError, resultText } = use;
  if (command === null || isError || resultText.length > MAX_CHARACTERS) return false;
  return lettersAndDigits(resultText).length >= MIN_CHARACTERS && obstacleOf(trace, use).kind === 'result';
}
