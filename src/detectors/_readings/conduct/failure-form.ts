import { statesNoError } from '../calls/failure-text.ts';

/** Lines with which programs report a failure, whatever the language of the rest. Each pattern is matched against one line. */
const FAILURE_LINES: readonly RegExp[] = [
  /^Traceback \(most recent call last\)/,
  /^ {0,8}[\w.]{0,80}(?:Error|Exception)(?::|$)/,
  /^(?:\/usr)?(?:\/bin\/)?(?:ba|z|da|k)?sh: /,
  /: (?:command not found|No such file or directory|Permission denied)$/,
  /^(?:error|fatal|panic)(?:\[\w{1,20}\])?: /,
  /:\d{1,6}: (?:fatal )?error: /,
  /^(?:Process |Command )?exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]/,
  /^exitcode: [1-9]/,
  /^(?:E {1,8}| {0,8})assert /,
  /: assert [^=<>!]{1,120}[=<>!]=/,
  /^\{ ?["']error["'] ?: ?["']/,
];
const SHELL_LINE = /^(?:\/usr)?(?:\/bin\/)?(?:ba|z|da|k)?sh: |: -c: line \d/;

/** Whether a line is a message of a shell. */
export function isShellMessage(line: string): boolean {
  return SHELL_LINE.test(line);
}

/** A longer line is data. */
const MAX_LINE_LENGTH = 600;

export function hasFailureForm(text: string): boolean {
  return text.split('\n').some(isFailureLine);
}

/** The line above a traceback. */
const TRACEBACK = 'Traceback (most recent call last)';
/** The exception is the line below the indented traceback. */
const EXCEPTION = /^[\w.]{1,120}(?::|$)/;

/**
 * The line that says what failed: the exception of the last traceback, else the last line with the form of a failure, else
 * the last line.
 */
export function failureLine(text: string): string {
  const found = text.trimEnd().split('\n');
  const traceback = found.findLastIndex((line) => line.includes(TRACEBACK));
  const exception = traceback === -1 ? undefined : found.slice(traceback + 1).find((line) => EXCEPTION.test(line));
  // The first message of a shell names the cause, the later ones what followed from it.
  const shell = found.every((line) => line.trim() === '' || SHELL_LINE.test(line)) ? found[0] : undefined;
  const decisive =
    exception ?? shell ?? found.findLast(isFailureLine) ?? found.findLast((line) => /\w/.test(line)) ?? text;
  return decisive.replace(/\s+/g, ' ').trim();
}

function isFailureLine(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && FAILURE_LINES.some((form) => form.test(line)) && !statesNoError(line);
}
