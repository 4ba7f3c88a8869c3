/** Invisible characters: Unicode tags (a copy of ASCII) and zero-width characters. */
const TAGS = /[\u{E0020}-\u{E007E}]{4,}/gu;
const ZERO_WIDTH = /[\u200B\u200C\u2060\u2062-\u2064\uFEFF\u00AD]|\u200D/g;
/** Any of the above, or half of one. */
const INVISIBLE = /[\u200B-\u200D\u2060\u2062-\u2064\uFEFF\u00AD\uDB40]/;
/** Consecutive zero-width characters, more than any script or emoji needs. */
const ZERO_WIDTH_RUN = /(?:[\u200B\u200C\u2060\u2062-\u2064]|\u200D){12,}/g;

export interface HiddenText {
  start: number;
  end: number;
  /** The decoded hidden characters; empty if they are not readable. */
  decoded: string;
}

/** A cheap test: false if the functions below would find nothing. */
export function mayHaveHiddenText(text: string): boolean {
  return INVISIBLE.test(text);
}

export function findHiddenText(text: string): HiddenText[] {
  return [...taggedText(text), ...zeroWidthRuns(text)];
}

function taggedText(text: string): HiddenText[] {
  if (!text.includes('\uDB40')) return [];
  return [...text.matchAll(TAGS)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    decoded: [...match[0]].map((char) => String.fromCharCode(char.codePointAt(0)! - 0xe0000)).join(''),
  }));
}

function zeroWidthRuns(text: string): HiddenText[] {
  return [...text.matchAll(ZERO_WIDTH_RUN)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    decoded: '',
  }));
}

/** The text without zero-width characters; the same string if it has none. */
export function withoutZeroWidth(text: string): string {
  return text.replace(ZERO_WIDTH, '');
}

/** Shorter runs contain no sentence; longer ones are files. */
const MIN_BLOB = 40;
const MAX_BLOB = 4000;
const MAX_BLOBS = 20;

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

/** Runs of base64 letters. A sufficiently long run covers one of the probed positions, so the rest need not be examined. */
function base64Runs(text: string): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  let probe = MIN_BLOB - 1;
  while (probe < text.length && runs.length < MAX_BLOBS) {
    if (!isBase64Letter(text.charCodeAt(probe))) {
      probe += MIN_BLOB;
      continue;
    }
    let start = probe;
    let end = probe + 1;
    while (start > 0 && isBase64Letter(text.charCodeAt(start - 1))) start -= 1;
    while (end < text.length && isBase64Letter(text.charCodeAt(end))) end += 1;
    const length = end - start;
    if (length >= MIN_BLOB && length <= MAX_BLOB) runs.push({ start, end });
    probe = end + MIN_BLOB;
  }
  return runs;
}

const BASE64 = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  BASE64[letter.charCodeAt(0)] = 1;

function isBase64Letter(unit: number): boolean {
  return unit < 128 && BASE64[unit] === 1;
}

function isReadable(text: string): boolean {
  const head = text.slice(0, 200);
  return head.includes(' ') && !/[^\t\n\r\x20-\x7e\u00a0-\u024f]/.test(head);
}
