/** Characters a person cannot see: Unicode tags (an invisible copy of ASCII) and zero-width ones. */
const TAGS = /[\u{E0020}-\u{E007E}]{4,}/gu;
const ZERO_WIDTH = /[\u200B\u200C\u2060\u2062-\u2064\uFEFF\u00AD]|\u200D/g;
/** Zero-width characters in a row that no script or emoji needs. */
const ZERO_WIDTH_RUN = /(?:[\u200B\u200C\u2060\u2062-\u2064]|\u200D){12,}/g;

export interface HiddenText {
  start: number;
  end: number;
  /** What the hidden characters spell; empty where they spell nothing readable. */
  reads: string;
}

export function findHiddenText(text: string): HiddenText[] {
  return [...taggedText(text), ...zeroWidthRuns(text)];
}

function taggedText(text: string): HiddenText[] {
  if (!text.includes('\uDB40')) return [];
  return [...text.matchAll(TAGS)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    reads: [...match[0]].map((char) => String.fromCharCode(char.codePointAt(0)! - 0xe0000)).join(''),
  }));
}

function zeroWidthRuns(text: string): HiddenText[] {
  return [...text.matchAll(ZERO_WIDTH_RUN)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    reads: '',
  }));
}

/** The text without zero-width characters; the same string where it has none. */
export function withoutZeroWidth(text: string): string {
  return text.replace(ZERO_WIDTH, '');
}

/** Shorter runs hold no sentence; longer ones are files. */
const MIN_BLOB = 40;
const MAX_BLOB = 4000;
const BLOBS_READ = 20;

export interface EncodedText {
  start: number;
  end: number;
  decoded: string;
}

/** Base64 that decodes to words. */
export function findEncodedText(text: string): EncodedText[] {
  const found: EncodedText[] = [];
  for (const { start, end } of base64Runs(text)) {
    const blob = text.slice(start, end);
    if (!/[A-Z]/.test(blob) || !/[a-z]/.test(blob)) continue;
    const decoded = Buffer.from(blob, 'base64').toString('utf8');
    if (isReadable(decoded)) found.push({ start, end, decoded });
  }
  return found;
}

/** Runs of base64 letters, by hand: a regular expression would begin anew at every letter of every word. */
function base64Runs(text: string): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    if (index < text.length && isBase64Letter(text.charCodeAt(index))) continue;
    const length = index - start;
    if (length >= MIN_BLOB && length <= MAX_BLOB) runs.push({ start, end: index });
    if (runs.length === BLOBS_READ) return runs;
    start = index + 1;
  }
  return runs;
}

function isBase64Letter(unit: number): boolean {
  const lower = unit | 32;
  return (lower >= 97 && lower <= 122) || (unit >= 47 && unit <= 57) || unit === 43;
}

function isReadable(text: string): boolean {
  const head = text.slice(0, 200);
  return head.includes(' ') && !/[^\t\n\r\x20-\x7e\u00a0-\u024f]/.test(head);
}
