import { NGRAM_BUCKETS, type SparseVector } from '../_models/hashed-ngrams.ts';
import type { LinearModel } from '../_models/linear-model.ts';
import { isJoined, letterOf } from './letters.ts';

/**
 * Word 1–3-grams and character 3–5-grams of a piece, in the two families of `hashedNgrams`, with start and end marks among
 * the words and all digits equal. Ten times faster than the general function because a document has thousands of pieces:
 * scratch arrays instead of maps, and no regular expression.
 */
export function ngramsOf(piece: string): SparseVector {
  readNgrams(piece);
  return { indices: buckets.slice(0, touched), values: weights.slice(0, touched) };
}

/** Contribution of a piece's n-grams to the log-odds of each model; equal to using their vector, which is not built. */
export function ngramLogits(piece: string, models: readonly LinearModel[]): number[] {
  readNgrams(piece);
  return models.map(({ sparse, scale }) => {
    let sum = 0;
    for (let index = 0; index < touched; index += 1) sum += (sparse[buckets[index]!] ?? 0) * weights[index]!;
    return sum * scale;
  });
}

/** Fills `buckets` and `weights` up to `touched`. */
function readNgrams(piece: string): void {
  if (isCounting) counts.fill(0);
  isCounting = true;
  const length = fold(piece);
  touched = 0;
  countWords(length);
  const words = touched;
  countChars(length);
  weightCounts(0, words);
  weightCounts(words, touched);
  isCounting = false;
}

/** Number of characters of a piece to read. */
const MAX_READ_LENGTH = 640;
const codes = new Uint16Array(MAX_READ_LENGTH + 4);
const counts = new Uint16Array(NGRAM_BUCKETS * 2);
const buckets = new Int32Array(MAX_READ_LENGTH * 8);
const weights = new Float32Array(MAX_READ_LENGTH * 8);
let touched = 0;
/** True if a call was terminated in the middle; the next call then clears the buffer. */
let isCounting = false;

const BLANK = 32;
const [OPENING, QUESTION, CLOSING] = [0x2545f491, 0x1b873593, 0x4cf5ad43];
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** Lower case, digits as 0, runs of white space as one space, a space at either end; returns the length. */
function fold(piece: string): number {
  codes[0] = BLANK;
  let length = 1;
  const end = Math.min(piece.length, MAX_READ_LENGTH);
  for (let index = 0; index < end; index += 1) {
    const unit = piece.charCodeAt(index);
    const code = letterOf(unit) || (unit <= BLANK ? BLANK : unit);
    if (code !== BLANK || codes[length - 1] !== BLANK) codes[length++] = code;
  }
  if (codes[length - 1] !== BLANK) codes[length++] = BLANK;
  return length;
}

function countWords(length: number): void {
  let [second, first, word] = [0, OPENING, 0];
  let isQuestion = false;
  const end = (hash: number) => {
    count(bucketOf(hash));
    count(bucketOf(Math.imul(first, 0x9e3779b1) ^ hash));
    if (second !== 0) count(bucketOf(Math.imul(Math.imul(second, 0x9e3779b1) ^ first, 0x9e3779b1) ^ hash));
    second = first;
    first = hash;
  };
  for (let index = 1; index < length; index += 1) {
    const code = codes[index]!;
    const letter = letterOf(code);
    if (letter !== 0 && isJoined(letter)) {
      word = Math.imul((word === 0 ? SEED : word) ^ letter, PRIME);
      continue;
    }
    if (word !== 0) end(word);
    word = 0;
    if (letter !== 0) end(Math.imul(SEED ^ letter, PRIME));
    if (code === 63 || code === 0xff1f || code === 0x61f) isQuestion = true;
    else if (letter !== 0) isQuestion = false;
  }
  end(isQuestion ? QUESTION : CLOSING);
}

function countChars(length: number): void {
  for (let start = 0; start < length - 2; start += 1) {
    let hash = Math.imul(Math.imul(SEED ^ codes[start]!, PRIME) ^ codes[start + 1]!, PRIME);
    const last = Math.min(length, start + 5);
    for (let index = start + 2; index < last; index += 1) {
      hash = Math.imul(hash ^ codes[index]!, PRIME);
      count(NGRAM_BUCKETS + bucketOf(hash ^ (index - start)));
    }
  }
}

function count(bucket: number): void {
  if (counts[bucket]! === 0) buckets[touched++] = bucket;
  counts[bucket]! += 1;
}

function bucketOf(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) & (NGRAM_BUCKETS - 1);
}

/** Values are `1 + ln(count)`, each family normalised to length 1. Clears the counts. */
function weightCounts(from: number, to: number): void {
  let squares = 0;
  for (let index = from; index < to; index += 1) {
    const times = counts[buckets[index]!]!;
    counts[buckets[index]!] = 0;
    const value = times === 1 ? 1 : 1 + Math.log(times);
    weights[index] = value;
    squares += value * value;
  }
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let index = from; index < to; index += 1) weights[index]! *= scale;
}
