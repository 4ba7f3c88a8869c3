/** Lines with which programs report a failure, whatever language the rest is in. Each is held against one line. */
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
/** A longer line is data. */
const LONGEST_LINE = 600;

export function hasFailureForm(text: string): boolean {
  return text.split('\n').some(isFailureLine);
}

/** The line that says what failed: the last one of a traceback, or where none has the form of a failure; else the last that has. */
export function failureLine(text: string): string {
  const found = text.trimEnd().split('\n');
  const isTraceback = text.includes('Traceback (most recent call last)');
  const telling = isTraceback ? undefined : found.findLast(isFailureLine);
  return (telling ?? found.findLast((line) => /\w/.test(line)) ?? text).replace(/\s+/g, ' ').trim();
}

function isFailureLine(line: string): boolean {
  return line.length <= LONGEST_LINE && FAILURE_LINES.some((form) => form.test(line));
}
