/** How far before the limit to look for a space, so that no word is cut. */
const MAX_CUT_WORD_LENGTH = 40;

/** Marks between words in JSON, code and addresses. */
const MARK = /["'`,;{}[\]()<>|=&?/、。，；「」（）]/;

/** Whether a text without spaces can be cut before position `at`: no word is cut there, and no escaped character. */
function isBetweenMarks(text: string, at: number): boolean {
  return text[at - 1] !== '\\' && (MARK.test(text[at - 1] ?? '') || MARK.test(text[at] ?? ''));
}

/** The address of a page, with the punctuation that may follow it in a sentence. */
export const LINK = /https?:\/\/[^\s<>"'`)\]}|\\“”‘’«»…、。，；：！？「」『』（）【】《》،؛؟۔।]+/g;
/** How far before a position the address that contains it may begin. */
const MAX_LINK_LENGTH = 2_000;

interface Range {
  start: number;
  end: number;
}

/** The address with a character before and after position `at`; null if there is none. */
function linkAround(text: string, at: number): Range | null {
  const from = Math.max(0, at - MAX_LINK_LENGTH);
  if (text.lastIndexOf('://', at) < from) return null;
  for (const { 0: link, index } of text.slice(from, at + MAX_LINK_LENGTH).matchAll(LINK)) {
    const [start, end] = [from + index, from + index + link.replace(/[.,;:!?*_]{1,9}$/, '').length];
    if (start < at && at < end) return { start, end };
  }
  return null;
}

/** Characters by which a text may exceed its limit so that it ends with a whole address. */
const LINK_OVERRUN = 100;
/** Closing marks after an address are shown instead of an ellipsis. */
const CLOSING = /^["'`)\]}>.,;]{0,3}$/;

/** The text up to the end of the address at its limit, or of its last whole part; null if there is no address. */
function cutAtLink(text: string, end: number, overrun: number): string | null {
  const link = linkAround(text, end);
  if (link === null) return null;
  const rest = text.slice(link.end, link.end + 4);
  const isWhole = link.end - end <= overrun;
  if (isWhole && CLOSING.test(rest)) return text;
  if (isWhole) return `${text.slice(0, link.end)} …`;
  const part = /^https?:\/\/[^/?#]*[/?#](?:.*[/?&#])?/.exec(text.slice(link.start, end))?.[0];
  if (part !== undefined) return `${text.slice(0, link.start + part.length)}…`;
  return link.start === 0 ? null : `${text.slice(0, link.start).trimEnd()}…`;
}

/**
 * The text, or its beginning with `…` if it is longer than `limit` characters. Ends with a whole word if a space is near,
 * or a mark such as a quote or comma in text without spaces; never splits a surrogate pair. An address at the limit stays whole
 * if it ends within `linkOverrun` further characters; a longer one ends after a whole part.
 */
export function cut(text: string, limit: number, linkOverrun: number = LINK_OVERRUN): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2]!) ? limit - 2 : limit - 1;
  const atLink = cutAtLink(text, end, linkOverrun);
  if (atLink !== null) return atLink;
  const tail = Math.max(0, end - Math.min(MAX_CUT_WORD_LENGTH, end / 2));
  if (/\s/.test(text[end]!)) return `${text.slice(0, end).trimEnd()}…`;
  for (let at = end - 1; at > tail; at -= 1) if (/\s/.test(text[at]!)) return `${text.slice(0, at).trimEnd()}…`;
  for (let at = end; at > tail; at -= 1) if (isBetweenMarks(text, at)) return `${text.slice(0, at)}…`;
  return `${text.slice(0, end)}…`;
}

/**
 * The end of the text if it is longer than `limit` characters. Begins with a whole line or word if one is near, and never
 * inside an address; never splits a surrogate pair.
 */
export function endOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const link = linkAround(text, text.length - limit);
  if (link === null) return fromWord(text, text.length - limit);
  return text.length - link.start - limit <= LINK_OVERRUN ? text.slice(link.start) : fromWord(text, link.end);
}

/** The text from position `at`, or from the next word or mark (at most `latest`) if `at` is inside a word. */
export function fromWord(text: string, at: number, latest: number = text.length): string {
  const start = /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at;
  if (start <= 0 || /\s/.test(text[start - 1]!)) return text.slice(Math.max(0, start)).trimStart();
  const end = Math.min(latest, start + Math.min(MAX_CUT_WORD_LENGTH, (text.length - start) / 2));
  for (let next = start; next < end; next += 1) if (/\s/.test(text[next]!)) return text.slice(next).trimStart();
  for (let next = start; next < end; next += 1) if (isBetweenMarks(text, next)) return text.slice(next);
  return text.slice(start);
}

/** Sentences and lines in order, untrimmed and with their marks; the marks are those of Latin and East Asian scripts. */
export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s{1,8}|(?<=[。！？])|\n/u);
}

/** Lower-case words of letters or digits in any script, in order. */
export function words(text: string): string[] {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower.match(/[a-z0-9]+/g) ?? [];
  const found: string[] = [];
  // Unicode classes are slow. They are used only for non-ASCII characters.
  for (const piece of lower.match(/[a-z0-9\u0080-\uffff]+/g) ?? []) {
    if (isAscii(piece)) found.push(piece);
    else for (const word of piece.match(/[\p{L}\p{N}]+/gu) ?? []) found.push(word);
  }
  return found;
}

/** Lower-case words of letters alone, in any script, in order. */
export function letterWords(text: string): string[] {
  const lower = text.toLowerCase();
  return lower.match(isAscii(lower) ? /[a-z]+/g : /\p{L}+/gu) ?? [];
}

/** Number of letters of any script in a text. */
export function letterCount(text: string): number {
  const beyond = isAscii(text) ? '' : text.replace(/[\0-\x7f]+/g, ' ');
  return asciiLetterCount(text) + (beyond.match(/\p{L}/gu)?.length ?? 0);
}

export function asciiLetterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const lower = text.charCodeAt(index) | 32;
    if (lower >= 97 && lower <= 122) count += 1;
  }
  return count;
}

/** Every other character takes several bytes in UTF-8. Their number is known much faster than a pattern is matched. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** The text with every code fence and its content blanked; an unclosed fence ends with the text. */
export function withoutFences(text: string): string {
  return text.includes('```') ? text.replace(/```[\s\S]*?(?:```|$)/g, ' ') : text;
}

/** Share of words that two sets have in common (Jaccard); 1 for two empty sets. */
export function wordOverlap<Word>(a: ReadonlySet<Word>, b: ReadonlySet<Word>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}

/** Lower case without spaces, punctuation and symbols: equal for `Billing Agent` and `billing_agent`. */
export function lettersAndDigits(text: string): string {
  const lower = text.toLowerCase();
  // Unicode classes are slow.
  return lower.replace(isAscii(lower) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu, '');
}

/** The text with single spaces only. */
export function oneLine(text: string): string {
  // Most spaces are single and need no replacement.
  return text.replace(/[^\S ]\s*| \s+/g, ' ').trim();
}

/** `3 times`, `1 time`: a count with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(parts: readonly (string | number)[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const MAX_STEPS = 6;

/** Steps in a text: `step 3`, `steps 3, 5 and 7`, or for more than six their number with the first and the last. */
export function stepsText(steps: readonly number[]): string {
  if (steps.length === 1) return `step ${steps[0]}`;
  if (steps.length > MAX_STEPS) return `${steps.length} steps from ${steps[0]} to ${steps.at(-1)}`;
  return `steps ${joined(steps)}`;
}

/** The text with a capital at its start. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** An agent at the start of a sentence. Names keep their letters. */
export function atSentenceStart(who: string): string {
  return who === 'the agent' ? 'The agent' : who;
}

/** A 53-bit hash of the text as a short key for maps (cyrb53 by bryc, public domain); no cryptography. */
export function textKey(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** Kana, Chinese characters and Hangul: two of them count as one word. */
const WIDE_LETTER = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const WIDE_PER_WORD = 2;
const LETTERS_PER_WORD = 5;

/** Length in characters, adjusted so that one limit fits texts of every script. */
export function lengthInLetters(text: string): number {
  const wide = text.match(WIDE_LETTER)?.length ?? 0;
  return text.length - wide + (wide * LETTERS_PER_WORD) / WIDE_PER_WORD;
}

/** Number of space-separated words. In scripts without spaces, each character counts as half a word. */
export function wordCount(text: string): number {
  const wide = text.match(WIDE_LETTER)?.length ?? 0;
  const others = text.replace(WIDE_LETTER, ' ').trim();
  return Math.ceil(wide / WIDE_PER_WORD) + (others === '' ? 0 : others.split(/\s+/).length);
}
