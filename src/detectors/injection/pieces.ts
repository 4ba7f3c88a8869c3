import type { Segment } from './segments.ts';

/** Longer pieces are cut at a space. One instruction fits into a piece. */
const PIECE_LIMIT = 280;
const MIN_PIECE = 6;

/** Sentences, lines, table rows and JSON values of a text, in order and without overlaps; very short ones are omitted. */
export function piecesOf(text: string): Segment[] {
  const pieces: Segment[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const length = index - start;
    if (length < PIECE_LIMIT) {
      // Most characters end nothing; testing this first halves the time.
      if (unit < 128 && MAY_END[unit] === 0) continue;
      if (!isBoundary(text, index)) continue;
    } else if (unit !== BLANK && length < PIECE_LIMIT * 2 && !isBoundary(text, index)) continue;
    push(pieces, text, start, index + 1);
    start = index + 1;
  }
  push(pieces, text, start, text.length);
  return pieces;
}

/** Runs of whole pieces of about one window's length; each window begins in the middle of the previous one. */
export function windowsOf(pieces: readonly Segment[]): Segment[] {
  const windows: Segment[] = [];
  let [covered, last] = [0, 0];
  for (let first = 0; first < pieces.length; first += 1) {
    const { start } = pieces[first]!;
    last = Math.max(last, first);
    while (last + 1 < pieces.length && pieces[last + 1]!.end - start <= PIECE_LIMIT) last += 1;
    const end = pieces[last]!.end;
    if (end > covered) windows.push({ start, end });
    covered = Math.max(covered, end);
  }
  return windows;
}

const BLANK = 32;
const [LINE_FEED, POINT, QUESTION, EXCLAMATION, DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH] = [10, 46, 63, 33, 34, 39, 92];

function isBoundary(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 128 && MAY_END[unit] === 0) return false;
  if (unit === LINE_FEED || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0x0964) return true;
  if (unit >= 128) return false;
  const next = text.charCodeAt(index + 1);
  if (unit === POINT || unit === QUESTION || unit === EXCLAMATION)
    return next === BLANK || next === DOUBLE_QUOTE || next === SINGLE_QUOTE;
  if (unit === BACKSLASH) return next === 110;
  return next === 44 || next === 58 || next === 125 || next === 93;
}

const MAY_END = new Uint8Array(128);
for (const unit of [LINE_FEED, POINT, QUESTION, EXCLAMATION, DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH]) MAY_END[unit] = 1;

function push(pieces: Segment[], text: string, from: number, to: number): void {
  let [start, end] = [from, to];
  while (start < end && isPadding(text.charCodeAt(start))) start += 1;
  while (end > start && isPadding(text.charCodeAt(end - 1))) end -= 1;
  if (end - start >= MIN_PIECE || (end > start && text.charCodeAt(start) > 0x2000)) pieces.push({ start, end });
}

/** Whether a character is white space, a quote, a bracket or a table bar around a value. */
function isPadding(unit: number): boolean {
  return unit <= BLANK || (unit < 128 && PADDING[unit] === 1);
}
const PADDING = new Uint8Array(128);
for (const char of '"\'{}[],:|`\\') PADDING[char.charCodeAt(0)] = 1;
