import { cut } from '../../_kit/text.ts';

/** How runners and languages mark the line that says what failed. */
const SAYS_WHY =
  /^\s{0,12}(?:E\s{2,}\S|AssertionError|assert\b|Expected|expected\b|\w{0,40}(?:Error|Exception)(?: \[\w{1,40}\])?:|error(?:\[\w{1,10}\])?:|panic:|thread '.{1,80}' panicked|--- FAIL|not ok \d|FAILED\b|FAIL\b|[✕✖×✗] )/m;

const READ_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 260;

/** The part of a failed run's output that says what failed, in whole lines; the end of the output if no line is marked. */
export function failureExcerpt(output: string): string {
  const text = output.trim().slice(-READ_CHARACTERS);
  const at = text.search(SAYS_WHY);
  const start = at === -1 ? lineStart(text, text.length - EXCERPT_CHARACTERS) : at;
  return wholeLines(text.slice(start).trimStart());
}

const LINE_CHARACTERS = 140;

/** The first line that says what failed, shortened. A line that ends with a colon continues on the lines below. */
export function failureHeadline(output: string): string {
  const [first = '', ...below] = failureExcerpt(output).split('\n');
  const headline = first.trimEnd().endsWith(':') ? [first, ...below].join(' ') : first;
  return cut(headline.replace(/\s+/g, ' ').trim(), LINE_CHARACTERS);
}

/** The first line start at or after a position. */
function lineStart(text: string, place: number): number {
  if (place <= 0) return 0;
  const end = text.indexOf('\n', place - 1);
  return end === -1 ? place : end + 1;
}

function wholeLines(text: string): string {
  if (text.length <= EXCERPT_CHARACTERS) return text;
  const end = text.lastIndexOf('\n', EXCERPT_CHARACTERS);
  return end <= 0 ? cut(text, EXCERPT_CHARACTERS) : text.slice(0, end);
}
