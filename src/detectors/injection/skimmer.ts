import { isJoined, letterOf } from './letters.ts';
import type { Segment } from './segments.ts';

/**
 * A first, cheap look at every piece of a text: the sum of the weights of its words and word pairs, those at its
 * beginning apart. It decides what the text model reads closely, and what is usual in this text.
 */
export interface Skimmer {
  bias: number;
  weights: Int8Array;
  scale: number;
}

export const SKIM_BUCKETS = 1 << 14;

/** Log-odds of each piece. No text is copied. */
export function skim({ bias, weights, scale }: Skimmer, text: string, pieces: readonly Segment[]): Float32Array {
  const buckets: number[] = [];
  return Float32Array.from(pieces, ({ start, end }) => {
    buckets.length = 0;
    skimFeatures(text, start, end, buckets);
    let sum = 0;
    for (const bucket of buckets) sum += weights[bucket]!;
    return bias + (scale * sum) / Math.sqrt(buckets.length || 1);
  });
}

/** Adds the buckets of the words, word pairs and marks between `start` and `end`. */
export function skimFeatures(text: string, start: number, end: number, buckets: number[]): void {
  let word = 0;
  let before = OPENING;
  let words = 0;
  for (let index = start; index <= end; index += 1) {
    const unit = index < end ? text.charCodeAt(index) : 32;
    const letter = letterOf(unit);
    if (letter !== 0 && isJoined(letter)) {
      word = Math.imul((word === 0 ? SEED : word) ^ letter, PRIME);
      continue;
    }
    if (word !== 0) {
      before = add(buckets, before, word, words);
      words += 1;
      word = 0;
    }
    if (letter !== 0) {
      before = add(buckets, before, Math.imul(SEED ^ letter, PRIME), words);
      words += 1;
    } else if (unit === 63 || unit === 33 || unit === 60) {
      buckets.push(bucketOf(unit));
    }
  }
}

/** A word by itself and after the one before; at the very beginning by its place too. */
function add(buckets: number[], before: number, word: number, at: number): number {
  buckets.push(bucketOf(word), bucketOf(Math.imul(before, 31) ^ word));
  if (at === 1) buckets.push(bucketOf(Math.imul(OPENING ^ before, 37) ^ word));
  return word;
}

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const OPENING = 0x2545f491;

function bucketOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (SKIM_BUCKETS - 1);
}
