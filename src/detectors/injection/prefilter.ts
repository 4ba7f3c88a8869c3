import { isJoined, letterOf } from './letters.ts';
import type { Segment } from './segments.ts';

/**
 * A cheap linear model that scores every piece of a text: the sum of the weights of its words and word pairs, with separate
 * weights for its first words. It selects the pieces that the text model scores in full, and gives a baseline for the text.
 */
export interface Prefilter {
  bias: number;
  weights: Int8Array;
  scale: number;
}

export const PREFILTER_BUCKETS = 1 << 14;
const NO_WEIGHTS = new Int8Array(PREFILTER_BUCKETS);

/** Limit for the features of one piece; the rest of a longer piece is not read. */
const MAX_FEATURES = 2048;
const found = new Int32Array(MAX_FEATURES + 8);

/** Log-odds of each piece. No text is copied. */
export function prefilterScores(prefilter: Prefilter, text: string, pieces: readonly Segment[]): Float32Array {
  const logits = new Float32Array(pieces.length);
  for (let at = 0; at < pieces.length; at += 1) logits[at] = prefilterScore(prefilter, text, pieces[at]!);
  return logits;
}

export function prefilterScore({ bias, weights, scale }: Prefilter, text: string, { start, end }: Segment): number {
  sum = 0;
  const count = readFeatures(text, start, end, weights);
  return bias + (scale * sum) / Math.sqrt(count || 1);
}

/** Buckets of the words, word pairs and marks between `start` and `end`. */
export function prefilterFeatures(text: string, start: number, end: number): Int32Array {
  return found.slice(0, readFeatures(text, start, end, NO_WEIGHTS));
}

/** Sum of the weights in the last call of `readFeatures`. */
let sum = 0;

/** Features are each word, each pair of neighbouring words, and the first pair by position. Returns their number. */
function readFeatures(text: string, start: number, end: number, weights: Int8Array): number {
  let [word, before, words, count] = [0, OPENING, 0, 0];
  for (let index = start; index <= end && count < MAX_FEATURES; index += 1) {
    const unit = index < end ? text.charCodeAt(index) : 32;
    const letter = letterOf(unit);
    if (letter !== 0 && isJoined(letter)) {
      word = Math.imul((word === 0 ? SEED : word) ^ letter, PRIME);
      continue;
    }
    if (word !== 0) {
      count = readToken(word, before, words, count, weights);
      before = word;
      words += 1;
      word = 0;
    }
    if (letter !== 0) {
      const token = Math.imul(SEED ^ letter, PRIME);
      count = readToken(token, before, words, count, weights);
      before = token;
      words += 1;
    } else if (isPrefilterMark(unit)) count = keep(bucketOf(unit), count, weights);
  }
  return count;
}

function readToken(token: number, before: number, words: number, count: number, weights: Int8Array): number {
  let kept = keep(bucketOf(token), count, weights);
  kept = keep(pairBucket(before, token), kept, weights);
  return words === 1 ? keep(secondBucket(before, token), kept, weights) : kept;
}

function keep(bucket: number, count: number, weights: Int8Array): number {
  found[count] = bucket;
  sum += weights[bucket]!;
  return count + 1;
}

export const SEED = 0x811c9dc5 | 0;
export const PRIME = 0x01000193;
export const OPENING = 0x2545f491;

export function bucketOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (PREFILTER_BUCKETS - 1);
}

export function pairBucket(before: number, token: number): number {
  return bucketOf(Math.imul(before, 31) ^ token);
}

export function secondBucket(first: number, second: number): number {
  return bucketOf(Math.imul(OPENING ^ first, 37) ^ second);
}

/** Question mark, exclamation mark, opening angle bracket. */
export function isPrefilterMark(unit: number): boolean {
  return unit === 63 || unit === 33 || unit === 60;
}
