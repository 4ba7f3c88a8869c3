import { cut, oneLine } from '../../_kit/text.ts';
import { failureExcerpt, failureHeadline } from './failure-excerpt.ts';
import { failureLine, hasFailureForm } from './failure-form.ts';

export const LINE_CHARACTERS = 140;

/** The line of an answer that says what failed, if the form of the answer shows one. */
export function answerLine(answer: string): string {
  const text = withoutStatus(answer);
  const isShownByForm =
    text.includes('Traceback') ||
    (!failureExcerpt(text)
      .split('\n')
      .some((line) => SAYS_WHERE.test(line)) &&
      hasFailureForm(text));
  const line = isShownByForm ? failureLine(text) : failureHeadline(text);
  const whole = withSource(text, line);
  return cut(whole.length <= LINE_CHARACTERS ? whole : line, LINE_CHARACTERS);
}

const MAX_LINES = 3;
const MAX_CHARACTERS = 200;

/** A short answer as a whole, its lines separated by ` | `; of a longer one, the line that says what failed. */
export function answerSummary(answer: string): string {
  const lines = withoutStatus(answer)
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  const whole = lines.join(' | ');
  return lines.length <= MAX_LINES && whole.length <= MAX_CHARACTERS ? whole : answerLine(answer);
}

/** What several answers say that report the same failure, possibly at other lines: `error at line 6 or 7`. */
export function sharedAnswer(answers: readonly string[]): string {
  const [first, ...others] = new Set(answers.map(answerSummary));
  if (first === undefined || others.length === 0) return first ?? '';
  const lines = [...new Set(answers.map((answer) => failureLine(withoutStatus(answer))))];
  return cut(withNumbersOf(lines) ?? others.at(-1)!, LINE_CHARACTERS);
}

const MAX_NUMBERS = 3;

/** A line with the numbers of all lines in their places; null if the lines differ in anything else. */
function withNumbersOf(lines: readonly string[]): string | null {
  const [first, ...others] = lines.map((line) => line.split(/(\d+)/));
  const isSame = (parts: readonly string[]) =>
    parts.length === first!.length && parts.every((part, at) => at % 2 === 1 || part === first![at]);
  if (!others.every(isSame)) return null;
  return first!.map((_, at) => alternatives([first!, ...others].map((parts) => parts[at]!))).join('');
}

function alternatives(all: readonly string[]): string {
  const parts = [...new Set(all)];
  if (parts.length > MAX_NUMBERS) return '…';
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

/** An exception without a message. */
const BARE_NAME = /^[\w.]{1,60}(?:Error|Exception|Failure)$/;
/** A line that marks a part of the line above it. */
const MARKER = /^[\^~ ]{1,200}$/;

/** Adds the line of code above an exception without a message, or above a marker line. */
function withSource(text: string, line: string): string {
  const lines = text.split('\n').map(oneLine);
  const at = lines.lastIndexOf(line);
  const above = lines[at - 1] ?? '';
  if (MARKER.test(above)) return oneLine(`${lines[at - 2] ?? ''} ${above} ${line}`);
  return BARE_NAME.test(line) && above !== '' ? `${above} ${line}` : line;
}

const SAYS_WHERE = /^ {0,12}(?:E {2}|assert\b|\w{0,40}(?:Error|Exception)(?: \[\w{1,40}\])?:)/;
const STATUS_LINE = /^ {0,20}(?:exit ?code|return ?code|exit status)\b[^\n]{0,60}$/i;
const OUTPUT_LABEL = /^ {0,20}code output: {0,8}$/i;

/** The text without the status lines that code runners print above the output. */
export function withoutStatus(text: string): string {
  const kept = text.split('\n').filter((line) => !STATUS_LINE.test(line) && !OUTPUT_LABEL.test(line));
  return kept.join('\n').trim() || text;
}

const MAX_BARE_LENGTH = 160;
/** Quotes, brackets, paths, comparisons, and numbers other than `3` or `3/4`. */
const PLACE_OR_VALUE = /['"`\\=<>{}[\]_():]|\/(?!\d)|\d[.,]\d|\d{3}/;

/** Whether an answer contains neither a place nor a value, so that nothing says what it is about. */
export function isBare(answer: string): boolean {
  const text = withoutStatus(answer);
  return text.length <= MAX_BARE_LENGTH && text.split('\n').length <= 3 && !PLACE_OR_VALUE.test(text);
}
