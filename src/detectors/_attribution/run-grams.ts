import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { bucketOf, hash32, type SparseVector } from '../_models/hashed-ngrams.ts';
import type { Act } from './acts.ts';
import { eachWord } from './tokens.ts';

export const RUN_GRAM_BUCKETS = 1 << 13;

const LAST_MESSAGES = 4;
const MESSAGE_LIMIT = 4000;
const CALLS_LIMIT = 400;

/**
 * Which tools were called in which order, and the words of the last messages, as single ones and neighbouring pairs
 * hashed into buckets; each of the two scaled to length 1.
 */
export function runGrams(trace: Trace, acts: readonly Act[]): SparseVector {
  const calls = toolUses(trace)
    .slice(0, CALLS_LIMIT)
    .map(({ name, isError }) => (isError ? `${name}!` : name));
  const callBuckets = new Set<number>();
  addGrams(callBuckets, 'call', calls);
  const wordBuckets = new Set<number>();
  const talk = acts.filter(({ kind }) => kind === 'llm' || kind === 'user' || kind === 'system').slice(-LAST_MESSAGES);
  for (const { kind, said } of talk) {
    const words: string[] = [];
    eachWord(said.slice(0, MESSAGE_LIMIT).toLowerCase(), (word) => words.push(word));
    addGrams(wordBuckets, kind, words);
  }
  return joined(callBuckets, wordBuckets);
}

function addGrams(into: Set<number>, kind: string, words: readonly string[]): void {
  const opening = hash32(`${kind} `);
  let before = 0;
  words.forEach((word, at) => {
    // The hash of a text goes on from that of its beginning.
    const single = hash32(word, opening);
    into.add(bucketOf(single, RUN_GRAM_BUCKETS));
    if (at > 0) into.add(bucketOf(hash32(word, hash32(' ', before)), RUN_GRAM_BUCKETS));
    before = single;
  });
}

function joined(...families: readonly ReadonlySet<number>[]): SparseVector {
  const values = new Map<number, number>();
  for (const family of families)
    for (const bucket of family) values.set(bucket, (values.get(bucket) ?? 0) + 1 / Math.sqrt(family.size));
  const indices = [...values.keys()].sort((a, b) => a - b);
  return { indices: Int32Array.from(indices), values: Float32Array.from(indices, (index) => values.get(index)!) };
}
