import { statesNoError } from '../calls/failure-text.ts';

interface FailureLine {
  /** A text that the line contains, searched for first because that is fast. */
  cue: string;
  /** Matched against one line. */
  form: RegExp;
}

/** Lines with which programs report a failure, whatever the language of the rest. */
const FAILURE_LINES: readonly FailureLine[] = [
  { cue: 'Traceback (', form: /^Traceback \(most recent call last\)/ },
  { cue: 'Error', form: /^ {0,8}[\w.]{0,80}Error(?::|$)/ },
  { cue: 'Exception', form: /^ {0,8}[\w.]{0,80}Exception(?::|$)/ },
  { cue: 'sh: ', form: /^(?:\/usr)?(?:\/bin\/)?(?:ba|z|da|k)?sh: / },
  { cue: ': command', form: /: command not found$/ },
  { cue: ': No such', form: /: No such file or directory$/ },
  { cue: ': Permission', form: /: Permission denied$/ },
  { cue: 'error', form: /^error(?:\[\w{1,20}\])?: / },
  { cue: 'fatal', form: /^fatal(?:\[\w{1,20}\])?: / },
  { cue: 'panic', form: /^panic(?:\[\w{1,20}\])?: / },
  { cue: 'error: ', form: /:\d{1,6}: (?:fatal )?error: / },
  { cue: 'exit', form: /^(?:Process |Command )?exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]/ },
  { cue: 'exitcode', form: /^exitcode: [1-9]/ },
  { cue: 'assert ', form: /^(?:E {1,8}| {0,8})assert / },
  { cue: ': assert ', form: /: assert [^=<>!]{1,120}[=<>!]=/ },
  { cue: 'error', form: /^\{ ?["']error["'] ?: ?["']/ },
];
/** One of the cues; most texts have none. One pattern is several times faster than a search for each cue. */
const ANY_CUE =
  /Traceback \(|Error|Exception|sh: |: (?:command|No such|Permission|assert )|error|fatal|panic|exit|assert /g;
const SHELL_LINE = /^(?:\/usr)?(?:\/bin\/)?(?:ba|z|da|k)?sh: |: -c: line \d/;

/** Whether a line is a message of a shell. */
export function isShellMessage(line: string): boolean {
  return SHELL_LINE.test(line);
}

/** A longer line is data. */
const MAX_LINE_LENGTH = 600;

/** Whether a line of the text has the form of a failure. Only lines with a cue are read. */
export function hasFailureForm(text: string): boolean {
  let end = 0;
  for (const { index } of text.matchAll(ANY_CUE)) {
    if (index < end) continue;
    const feed = text.indexOf('\n', index);
    end = feed === -1 ? text.length : feed;
    if (isFailureLine(text.slice(text.lastIndexOf('\n', index) + 1, end))) return true;
  }
  return false;
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
  if (line.length > MAX_LINE_LENGTH) return false;
  return FAILURE_LINES.some(({ cue, form }) => line.includes(cue) && form.test(line)) && !statesNoError(line);
}
