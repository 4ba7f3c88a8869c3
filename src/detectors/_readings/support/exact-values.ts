import { isAscii, LINK, lettersAndDigits } from '../../_kit/text.ts';

const WORD = /[#\p{L}\p{N}][\p{L}\p{N}_-]{5,40}/gu;
/** The same for ASCII texts, much faster. */
const ASCII_WORD = /[#A-Za-z0-9][A-Za-z0-9_-]{5,40}/g;

/** Addresses of pages in a text, without the punctuation that ends a sentence. */
export function linksIn(text: string): string[] {
  return matches(text, LINK).map(withoutEndMarks);
}

/** An address without the punctuation that follows it in a sentence. */
export function withoutEndMarks(address: string): string {
  return address.replace(/[.,;:!?*_]{1,9}$/, '');
}

/** A word without the punctuation of any script before and after it: `(K-105),` and `K-105。` are `K-105`. */
export function withoutMarks(word: string): string {
  return isAscii(word)
    ? word.replace(/^[^A-Za-z\d#@/.~]{1,20}|[^A-Za-z\d/]{1,20}$/g, '')
    : word.replace(/^[^\p{L}\p{M}\p{N}#@/.~]{1,20}|[^\p{L}\p{M}\p{N}/]{1,20}$/gu, '');
}

/** The text without the addresses of pages. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, ' ');
}

/** Letters of scripts that are written directly after an identifier: 「C-88の請求書」, `K4471209를`. */
export const ATTACHED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}ー]/gu;

/** Order numbers, booking codes, account names and similar words with letters and digits. */
export function identifiersIn(text: string): string[] {
  const words = isAscii(text) ? matches(text, ASCII_WORD) : matches(text.replace(ATTACHED, ' '), WORD);
  return words.map(withoutMarks).filter(isIdentifier);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[0]);
}

/** Whether a word is an identifier: letters and at least three digits. Units, ordinals, versions and dates are not. */
function isIdentifier(word: string): boolean {
  const digits = word.match(/\d/g)?.length ?? 0;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  if (digits < 3 || letters < 1 || digits + letters < 6 || isPattern(word)) return false;
  if (/\d(?:am|pm)/i.test(word) || /^\d+-\p{L}+$/u.test(word)) return false;
  return (
    !/^\d+(?:st|nd|rd|th|s|km|kg|mb|gb|px|ms|am|pm|usd|eur)?$/i.test(word) &&
    !/^\d{4}-\d\d/.test(word) &&
    !/^[\p{L}]+-?\d{4}$/u.test(word)
  );
}

/** Whether a word is ASCII art or padding: `d8888b`, `oo88oo88`. */
function isPattern(word: string): boolean {
  const signs = lettersAndDigits(word);
  return new Set(signs).size < 4 || /([^0])\1{4}/.test(signs);
}
