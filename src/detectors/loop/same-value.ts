import type { Trace } from '../../core/trace.ts';
import { lettersAndDigits, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';

const MIN_CHARACTERS = 6;
const MAX_CHARACTERS = 400;

/**
 * One sentence with a leading space about other commands of the same tool whose results differ from that of a repeated
 * command only in punctuation and white space: what was varied is the form. Empty without such commands.
 */
export function sameValueText(trace: Trace, uses: readonly ToolUse[], repeated: readonly ToolUse[]): string {
  const hasValue = (use: ToolUse) => isValue(trace, use);
  const shown = repeated.find(hasValue);
  if (shown === undefined) return '';
  const value = lettersAndDigits(shown.resultText);
  const requests = new Set(repeated.map(({ argumentsText }) => argumentsText));
  const others = uses.filter(
    (use) =>
      use.name === shown.name &&
      use.agent === shown.agent &&
      !requests.has(use.argumentsText) &&
      hasValue(use) &&
      use.resultText.trim() !== shown.resultText.trim() &&
      lettersAndDigits(use.resultText) === value,
  );
  if (others.length === 0) return '';
  return ` ${others.length === 1 ? 'The result' : 'The results'} of ${stepsText(others.map(({ step }) => step))} ${others.length === 1 ? 'differs' : 'differ'} from that of step ${shown.step} only in punctuation and white space: the value is the same.`;
}

function isValue(trace: Trace, use: ToolUse): boolean {
  const { command, isError, resultText } = use;
  if (command === null || isError || resultText.length > MAX_CHARACTERS) return false;
  return lettersAndDigits(resultText).length >= MIN_CHARACTERS && obstacleOf(trace, use).kind === 'result';
}
