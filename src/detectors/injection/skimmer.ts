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
const NO_WEIGHTS = new Int8Array(SKIM_BUCKETS);

/** Features of one piece at most: longer ones are not read to their end. */
const FEATURES_READ = 2048;
const found = new Int32Array(FEATURES_READ + 8);

/** Log-odds of each piece. No text is copied. */
export function skim(skimmer: Skimmer, text: string, pieces: readonly Segment[]): Float32Array {
  const logits = new Float32Array(pieces.length);
  for (let at = 0; at < pieces.length; at += 1) logits[at] = skimOne(skimmer, text, pieces[at]!);
  return logits;
}

export function skimOne({ bias, weights, scale }: Skimmer, text: string, { start, end }: Segment): number {
  sum = 0;
  const count = readFeatures(text, start, end, weights);
  return bias + (scale * sum) / Math.sqrt(count || 1);
}

/**
 * The same for pieces that overlap, in the order of their beginnings: the text is read once, and each piece is the
 * difference of two sums.
 */
export function skimOverlapping(skimmer: Skimmer, text: string, pieces: readonly Segment[]): Float32Array {
  const { bias, weights, scale } = skimmer;
  const logits = new Float32Array(pieces.length);
  let [from, readTo] = [0, 0];
  for (let at = 0; at < pieces.length; at += 1) {
    const { start, end } = pieces[at]!;
    if (end > readTo || end - start > READ_TOGETHER) {
      readTo = Math.min(text.length, start + READ_TOGETHER);
      stream.read(text, start, readTo, weights);
      from = 0;
    }
    while (from < stream.length && stream.starts[from]! < start) from += 1;
    let to = from;
    while (to < stream.length && stream.starts[to]! < end) to += 1;
    const isWhole = end <= readTo && !isInsideWord(text, start) && !isInsideWord(text, end);
    if (isWhole) logits[at] = bias + (scale * stream.sum(from, to)) / Math.sqrt(stream.count(from, to) || 1);
    else logits[at] = skimOne(skimmer, text, pieces[at]!);
  }
  return logits;
}

/** Characters read at once: a bound of the memory that a long text takes. */
const READ_TOGETHER = 1 << 16;

/** Whether a word goes on over this place. */
function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || at >= text.length) return false;
  const [before, after] = [letterOf(text.charCodeAt(at - 1)), letterOf(text.charCodeAt(at))];
  return before !== 0 && after !== 0 && isJoined(before) && isJoined(after);
}

/** Words and marks of a text in order, with the sums of their weights. */
class TokenStream {
  length = 0;
  /** Where each begins. */
  readonly starts = new Int32Array(READ_TOGETHER + 1);
  /** Hash of each word; 0 for a mark. */
  readonly #words = new Int32Array(READ_TOGETHER + 1);
  /** Of all before it: sum of their weights, and how many features they are. */
  readonly #sums = new Int32Array(READ_TOGETHER + 1);
  readonly #counts = new Int32Array(READ_TOGETHER + 1);
  #weights: Int8Array = NO_WEIGHTS;

  read(text: string, start: number, end: number, weights: Int8Array): void {
    this.length = 0;
    this.#weights = weights;
    let [word, before, began] = [0, OPENING, start];
    for (let index = start; index <= end; index += 1) {
      const unit = index < end ? text.charCodeAt(index) : 32;
      const letter = letterOf(unit);
      if (letter !== 0 && isJoined(letter)) {
        if (word === 0) began = index;
        word = Math.imul((word === 0 ? SEED : word) ^ letter, PRIME);
        continue;
      }
      if (word !== 0) {
        this.#add(began, word, this.#weights[bucketOf(word)]! + this.#pair(before, word), 2);
        before = word;
        word = 0;
      }
      if (letter !== 0) {
        const token = Math.imul(SEED ^ letter, PRIME);
        this.#add(index, token, this.#weights[bucketOf(token)]! + this.#pair(before, token), 2);
        before = token;
      } else if (isSkimmedMark(unit)) this.#add(index, 0, this.#weights[bucketOf(unit)]!, 1);
    }
  }

  /** Sum of the weights of those from `from` up to `to`, the first of which opens the piece. */
  sum(from: number, to: number): number {
    const inner = this.#sums[to]! - this.#sums[from]!;
    const first = this.#wordFrom(from, to);
    if (first === to) return inner;
    const opening = this.#words[first]!;
    const apart = this.#pair(OPENING, opening) - this.#pair(this.#wordBefore(first), opening);
    const second = this.#wordFrom(first + 1, to);
    return inner + apart + (second === to ? 0 : this.#weights[secondBucket(opening, this.#words[second]!)]!);
  }

  /** How many features they are: the second word counts by its place, too. */
  count(from: number, to: number): number {
    const first = this.#wordFrom(from, to);
    const hasSecond = first < to && this.#wordFrom(first + 1, to) < to;
    return this.#counts[to]! - this.#counts[from]! + (hasSecond ? 1 : 0);
  }

  #wordFrom(from: number, to: number): number {
    let at = from;
    while (at < to && this.#words[at] === 0) at += 1;
    return at;
  }

  #wordBefore(index: number): number {
    let at = index - 1;
    while (at >= 0 && this.#words[at] === 0) at -= 1;
    return at < 0 ? OPENING : this.#words[at]!;
  }

  #pair(before: number, token: number): number {
    return this.#weights[pairBucket(before, token)]!;
  }

  #add(start: number, word: number, weight: number, features: number): void {
    const at = this.length;
    this.starts[at] = start;
    this.#words[at] = word;
    this.#sums[at + 1] = this.#sums[at]! + weight;
    this.#counts[at + 1] = this.#counts[at]! + features;
    this.length += 1;
  }
}

/** Lent to one call at a time. */
const stream = new TokenStream();

/** Buckets of the words, word pairs and marks between `start` and `end`. */
export function skimFeatures(text: string, start: number, end: number): Int32Array {
  return found.slice(0, readFeatures(text, start, end, NO_WEIGHTS));
}

/** Sum of the weights of what was last read. */
let sum = 0;

/** A word by itself and after the one before; the second with the first by its place too. Gives how many were found. */
function readFeatures(text: string, start: number, end: number, weights: Int8Array): number {
  let [word, before, words, count] = [0, OPENING, 0, 0];
  for (let index = start; index <= end && count < FEATURES_READ; index += 1) {
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
    } else if (isSkimmedMark(unit)) count = keep(bucketOf(unit), count, weights);
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

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const OPENING = 0x2545f491;

function bucketOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (SKIM_BUCKETS - 1);
}

function pairBucket(before: number, token: number): number {
  return bucketOf(Math.imul(before, 31) ^ token);
}

function secondBucket(first: number, second: number): number {
  return bucketOf(Math.imul(OPENING ^ first, 37) ^ second);
}

/** Question mark, exclamation mark, opening angle bracket. */
function isSkimmedMark(unit: number): boolean {
  return unit === 63 || unit === 33 || unit === 60;
}
