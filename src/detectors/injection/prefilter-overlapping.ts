import { type Prefilter, prefilterScore } from './prefilter.ts';
import type { PlacedLine } from './reading-memo.ts';
import type { Segment } from './segments.ts';
import { isInsideWord, MAX_STREAM_LENGTH, TokenStream } from './token-stream.ts';

/** Reused by one call at a time. */
const stream = new TokenStream();

/**
 * `prefilterScores` for overlapping pieces, ordered by their start: each line is read once, and each piece is the
 * difference of two sums.
 */
export function prefilterOverlapping(
  prefilter: Prefilter,
  text: string,
  pieces: readonly Segment[],
  lines: readonly PlacedLine[],
): Float32Array {
  const { bias, weights, scale } = prefilter;
  const logits = new Float32Array(pieces.length);
  let [line, readTo, from] = [0, 0, 0];
  for (let at = 0; at < pieces.length; at += 1) {
    const { start, end } = pieces[at]!;
    if (end > readTo) {
      while (line + 1 < lines.length && lines[line + 1]!.start <= start) line += 1;
      readTo = fill(text, start, lines, line, weights);
      from = 0;
    }
    while (from < stream.length && stream.starts[from]! < start) from += 1;
    let to = from;
    while (to < stream.length && stream.starts[to]! < end) to += 1;
    const isWhole = end <= readTo && !isInsideWord(text, start) && !isInsideWord(text, end);
    if (isWhole) logits[at] = bias + (scale * stream.sum(from, to)) / Math.sqrt(stream.count(from, to) || 1);
    else logits[at] = prefilterScore(prefilter, text, pieces[at]!);
  }
  return logits;
}

/**
 * Continues reading from `start`, in line `first`, and returns the position reached. A line longer than the stream is read
 * in parts.
 */
function fill(text: string, start: number, lines: readonly PlacedLine[], first: number, weights: Int8Array): number {
  const begin = lines[first]!.start;
  stream.clear(weights);
  if (lines[first]!.read.text.length > MAX_STREAM_LENGTH) {
    const end = Math.min(text.length, start + MAX_STREAM_LENGTH);
    stream.addText(text, start, end);
    return end;
  }
  let end = begin;
  for (let at = first; at < lines.length; at += 1) {
    const { read } = lines[at]!;
    if (end + read.text.length - begin > MAX_STREAM_LENGTH) break;
    stream.addLine(read, end);
    end += read.text.length;
  }
  return end;
}
