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
  const marks = new Uint8Array(RUN_GRAM_BUCKETS);
  markGrams(marks, IN_CALLS, 'call', calls);
  const talk = acts.filter(({ kind }) => kind === 'llm' || kind === 'user' || kind === 'system').slice(-LAST_MESSAGES);
  for (const { kind, said } of talk) {
    const words: string[] = [];
    eachWord(said.slice(0, MESSAGE_LIMIT).toLowerCase(), (word) => words.push(word));
    markGrams(marks, IN_WORDS, kind, words);
  }
  return vectorOf(marks);
}

/** A bucket's bit for each of the two families. */
const [IN_CALLS, IN_WORDS] = [1, 2] as const;

function markGrams(marks: Uint8Array, family: number, kind: string, words: readonly string[]): void {
  const opening = hash32(`${kind} `);
  let before = 0;
  words.forEach((word, at) => {
    // The hash of a text goes on from that of its beginning.
    const single = hash32(word, opening);
    marks[bucketOf(single, RUN_GRAM_BUCKETS)]! |= family;
    if (at > 0) marks[bucketOf(hash32(word, hash32(' ', before)), RUN_GRAM_BUCKETS)]! |= family;
    before = single;
  });
}

function vectorOf(marks: Uint8Array): SparseVector {
  const sizes = [0, 0, 0, 0];
  eachMarked(marks, (_, families) => {
    sizes[families]! += 1;
  });
  const [, callsOnly, wordsOnly, both] = sizes as [number, number, number, number];
  const ofCalls = 1 / Math.sqrt(callsOnly + both);
  const ofWords = 1 / Math.sqrt(wordsOnly + both);
  const indices = new Int32Array(callsOnly + wordsOnly + both);
  const values = new Float32Array(indices.length);
  let at = 0;
  eachMarked(marks, (bucket, families) => {
    indices[at] = bucket;
    values[at] = (families & IN_CALLS ? ofCalls : 0) + (families & IN_WORDS ? ofWords : 0);
    at += 1;
  });
  return { indices, values };
}

/** In rising order; most buckets are empty, so four of them are looked at together. */
function eachMarked(marks: Uint8Array, take: (bucket: number, families: number) => void): void {
  const fours = new Int32Array(marks.buffer, marks.byteOffset, marks.length / 4);
  for (let four = 0; four < fours.length; four += 1) {
    if (fours[four] === 0) continue;
    for (let bucket = 4 * four; bucket < 4 * four + 4; bucket += 1)
      if (marks[bucket] !== 0) take(bucket, marks[bucket]!);
  }
}
