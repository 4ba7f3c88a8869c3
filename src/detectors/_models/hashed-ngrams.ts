/** Features of one text: ascending positions, with a value for each. */
export interface SparseVector {
  indices: Int32Array;
  values: Float32Array;
}

/** Buckets of each of the two families. Words come before characters in a vector of `NGRAM_SIZE`. */
export const NGRAM_BUCKETS = 1 << 15;
export const NGRAM_SIZE = NGRAM_BUCKETS * 2;

export interface NgramOptions {
  /** Longest word n-gram; 0 disables words. */
  words?: number;
  /** Shortest and longest character n-gram; null disables characters. */
  chars?: readonly [shortest: number, longest: number] | null;
}

const DEFAULTS = { words: 3, chars: [3, 5] } as const;

/** A run of letters and digits of any script. Scripts without spaces give one token per character. */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+/gu;

/** Lower case in any script, compatibility forms folded, white space collapsed: the input of the n-grams. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function tokensOf(folded: string): string[] {
  return folded.match(TOKEN) ?? [];
}

/**
 * Word 1–3-grams and character 3–5-grams hashed into two families of `NGRAM_BUCKETS` buckets. Values are `1 + ln(count)`,
 * each family normalised to length 1, so that long and short texts are comparable. Linear in the length of the text.
 */
export function hashedNgrams(text: string, options: NgramOptions = {}): SparseVector {
  const { words, chars } = { ...DEFAULTS, ...options };
  const folded = foldText(text);
  const counter = new BucketCounter();
  isInUse = true;
  if (words > 0) countWords(tokensOf(folded), words, counter);
  const wordFamily = counter.take(0);
  if (chars !== null) countChars(` ${folded} `, chars[0], chars[1], counter);
  const charFamily = counter.take(NGRAM_BUCKETS);
  isInUse = false;
  return joined(wordFamily, charFamily);
}

/** 32-bit FNV-1a over UTF-16 units (Fowler, Noll, Vo); the same on every machine. */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Mixes the hash once more (the finalizer of MurmurHash3) because FNV's low bits are weak, then selects a bucket. */
export function bucketOf(hash: number, buckets = NGRAM_BUCKETS): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % buckets;
}

/** Reused by one call at a time and returned empty: allocating an array per text would cost more than counting. */
const SCRATCH = new Int32Array(NGRAM_BUCKETS);
/** True if a call was terminated in the middle; the next call then clears the buffer. */
let isInUse = false;

class BucketCounter {
  private touched: number[] = [];

  constructor() {
    if (isInUse) SCRATCH.fill(0);
  }

  add(bucket: number): void {
    if (SCRATCH[bucket] === 0) this.touched.push(bucket);
    SCRATCH[bucket]! += 1;
  }

  /** Returns the counts as one family of length 1, and clears the counter. */
  take(offset: number): SparseVector {
    const indices = Int32Array.from(this.touched).sort();
    const values = new Float32Array(indices.length);
    let squares = 0;
    for (let at = 0; at < indices.length; at += 1) {
      const value = 1 + Math.log(SCRATCH[indices[at]!]!);
      SCRATCH[indices[at]!] = 0;
      values[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let at = 0; at < indices.length; at += 1) {
      values[at] = values[at]! / length;
      indices[at] = indices[at]! + offset;
    }
    this.touched = [];
    return { indices, values };
  }
}

function countWords(tokens: readonly string[], longest: number, counter: BucketCounter): void {
  const hashes = tokens.map((token) => hash32(token));
  for (let start = 0; start < hashes.length; start += 1) {
    let hash = 0;
    for (let length = 1; length <= longest && start + length <= hashes.length; length += 1) {
      hash = Math.imul(hash, 0x9e3779b1) ^ hashes[start + length - 1]!;
      counter.add(bucketOf(hash));
    }
  }
}

function countChars(text: string, shortest: number, longest: number, counter: BucketCounter): void {
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0x811c9dc5;
    for (let length = 1; length <= longest && start + length <= text.length; length += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(start + length - 1), 0x01000193);
      if (length >= shortest) counter.add(bucketOf(hash ^ length));
    }
  }
}

function joined(first: SparseVector, second: SparseVector): SparseVector {
  const indices = new Int32Array(first.indices.length + second.indices.length);
  const values = new Float32Array(indices.length);
  indices.set(first.indices);
  indices.set(second.indices, first.indices.length);
  values.set(first.values);
  values.set(second.values, first.values.length);
  return { indices, values };
}
