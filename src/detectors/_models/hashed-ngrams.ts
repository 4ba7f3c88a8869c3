/** Features of one text: positions in rising order, and a value for each. */
export interface SparseVector {
  indices: Int32Array;
  values: Float32Array;
}

/** Buckets of each of the two families; words stand before characters in a vector of `NGRAM_SIZE`. */
export const NGRAM_BUCKETS = 1 << 15;
export const NGRAM_SIZE = NGRAM_BUCKETS * 2;

export interface NgramOptions {
  /** Longest run of words; 0 leaves words out. */
  words?: number;
  /** Shortest and longest run of characters; null leaves characters out. */
  chars?: readonly [shortest: number, longest: number] | null;
}

const DEFAULTS = { words: 3, chars: [3, 5] } as const;

/** A letter-digit run of any script; scripts written without spaces give one token a character. */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+/gu;

/** Lower case in any script, compatibility forms folded, white space squeezed: what the n-grams are cut from. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

export function tokensOf(folded: string): string[] {
  return folded.match(TOKEN) ?? [];
}

/**
 * Word 1–3-grams and character 3–5-grams hashed into two families of `NGRAM_BUCKETS` buckets. Values are
 * `1 + ln(count)`, each family scaled to length 1, so that long and short texts compare. Linear in the text.
 */
export function hashedNgrams(text: string, options: NgramOptions = {}): SparseVector {
  const { words, chars } = { ...DEFAULTS, ...options };
  const folded = foldText(text);
  const wordCounts = new Map<number, number>();
  const charCounts = new Map<number, number>();
  if (words > 0) countWords(tokensOf(folded), words, wordCounts);
  if (chars !== null) countChars(` ${folded} `, chars[0], chars[1], charCounts);
  return joinFamilies([wordCounts, charCounts]);
}

/** 32-bit FNV-1a over UTF-16 units (Fowler, Noll, Vo); the same on every machine. */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** FNV's low bits are weak: mix once more (the end of MurmurHash3), then take a bucket. */
export function bucketOf(hash: number, buckets = NGRAM_BUCKETS): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % buckets;
}

function countWords(tokens: readonly string[], longest: number, counts: Map<number, number>): void {
  const hashes = tokens.map((token) => hash32(token));
  for (let start = 0; start < hashes.length; start += 1) {
    let hash = 0;
    for (let length = 1; length <= longest && start + length <= hashes.length; length += 1) {
      hash = Math.imul(hash, 0x9e3779b1) ^ hashes[start + length - 1]!;
      count(counts, bucketOf(hash));
    }
  }
}

function countChars(text: string, shortest: number, longest: number, counts: Map<number, number>): void {
  for (let start = 0; start < text.length; start += 1) {
    let hash = 0x811c9dc5;
    for (let length = 1; length <= longest && start + length <= text.length; length += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(start + length - 1), 0x01000193);
      if (length >= shortest) count(counts, bucketOf(hash ^ length));
    }
  }
}

function count(counts: Map<number, number>, bucket: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
}

function joinFamilies(families: readonly Map<number, number>[]): SparseVector {
  const size = families.reduce((total, { size }) => total + size, 0);
  const indices = new Int32Array(size);
  const values = new Float32Array(size);
  let at = 0;
  for (const [family, counts] of families.entries()) {
    const buckets = Int32Array.from(counts.keys()).sort();
    const weights = Float32Array.from(buckets, (bucket) => 1 + Math.log(counts.get(bucket)!));
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
    for (const [index, bucket] of buckets.entries()) {
      indices[at] = family * NGRAM_BUCKETS + bucket;
      values[at] = weights[index]! / length;
      at += 1;
    }
  }
  return { indices, values };
}
