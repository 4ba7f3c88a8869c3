import { characterSet, visitRuns } from './long-runs.ts';
import { unitsOf } from './text-units.ts';

/** Base64, base64url and hex that decode to text: position and decoded text. */
export interface EncodedText {
  start: number;
  end: number;
  decoded: string;
}

const MIN_LENGTH = 20;
const MAX_LENGTH = 1_400_000;
const MAX_START_OFFSETS = 6;

/** The value of each base64 digit of either alphabet, by character code; -1 for other characters. */
const DIGITS = new Int8Array(128).fill(-1);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[digit.charCodeAt(0)] = value;
DIGITS[45] = 62;
DIGITS[95] = 63;

/** The value of each hex digit, by character code. */
const HEX = new Int8Array(128).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

const BASE64_DIGITS = characterSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_');

export function hasEncodedText(text: string, units = unitsOf(text)): boolean {
  return visitRuns(units, MIN_LENGTH, BASE64_DIGITS, (start, end) => encodedIn(text, start, end) !== null);
}

export function findEncodedText(text: string): EncodedText[] {
  const found: EncodedText[] = [];
  visitRuns(unitsOf(text), MIN_LENGTH, BASE64_DIGITS, (start, end) => {
    const encoded = encodedIn(text, start, end);
    if (encoded !== null) found.push(encoded);
    return false;
  });
  return found;
}

function encodedIn(text: string, start: number, end: number): EncodedText | null {
  if (end - start > MAX_LENGTH) return null;
  const decoded = isHexText(text, start, end) ? decodeHex(text.slice(start, end)) : null;
  if (decoded !== null) return { start, end, decoded };
  // `/`, `-` and `_` are digits, but also occur before an encoded part of a path or name.
  let tries = 0;
  for (let at = start; at <= end - MIN_LENGTH && tries < MAX_START_OFFSETS; at += 1) {
    if (at > start && !isSeparator(text.charCodeAt(at - 1))) continue;
    tries += 1;
    const plain = isBase64Text(text, at) ? asText(Buffer.from(text.slice(at, end), 'base64')) : null;
    if (plain !== null) return { start: at, end: withPadding(text, end), decoded: plain };
  }
  return null;
}

function isSeparator(code: number): boolean {
  return code === 47 || code === 45 || code === 95;
}

/** The top bit of every byte of ASCII text is 0; most other runs fail at the first digit. */
function isBase64Text(text: string, start: number): boolean {
  for (let at = start; at < start + MIN_LENGTH; at += 4) {
    const a = DIGITS[text.charCodeAt(at)] ?? -1;
    if (a < 0 || a >= 32) return false;
    const b = DIGITS[text.charCodeAt(at + 1)] ?? -1;
    const c = DIGITS[text.charCodeAt(at + 2)] ?? -1;
    const d = DIGITS[text.charCodeAt(at + 3)] ?? -1;
    if (b < 0 || c < 0 || d < 0) return false;
    if (!isTextByte((a << 2) | (b >> 4)) || !isTextByte(((b & 15) << 4) | (c >> 2))) return false;
    if (!isTextByte(((c & 3) << 6) | d)) return false;
  }
  return true;
}

function isHexText(text: string, start: number, end: number): boolean {
  if ((end - start) % 2 !== 0) return false;
  for (let at = start; at < start + MIN_LENGTH; at += 2) {
    const high = HEX[text.charCodeAt(at)] ?? -1;
    // The first digit of a text byte is 0 or 2 to 7.
    if (high < 0 || high > 7) return false;
    const low = HEX[text.charCodeAt(at + 1)] ?? -1;
    if (low < 0 || !isTextByte(high * 16 + low)) return false;
  }
  return true;
}

function isTextByte(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9;
}

function decodeHex(hex: string): string | null {
  return /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(hex) ? asText(Buffer.from(hex, 'hex')) : null;
}

function withPadding(text: string, end: number): number {
  let to = end;
  while (to < end + 2 && text.charAt(to) === '=') to += 1;
  return to;
}

/** The text in bytes; null if they contain something else. */
export function asText(bytes: Buffer): string | null {
  const text = bytes.toString();
  // A truncation or a trailing digit corrupts only the last character.
  const body = text.slice(0, -2);
  return /[\u0000-\u0008\u000e-\u001a\ufffd]/.test(body) ? null : text;
}
