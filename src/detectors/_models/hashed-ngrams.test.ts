import { describe, expect, test } from 'vitest';
import {
  bucketOf,
  foldText,
  hash32,
  hashedNgrams,
  NGRAM_BUCKETS,
  NGRAM_SIZE,
  type SparseVector,
  tokensOf,
} from './hashed-ngrams.ts';

const cosine = (a: SparseVector, b: SparseVector) => {
  const values = new Map([...a.indices].map((index, at) => [index, a.values[at]!]));
  return [...b.indices].reduce((sum, index, at) => sum + (values.get(index) ?? 0) * b.values[at]!, 0) / 2;
};

describe('tokens', () => {
  test.each([
    ['Ignore THE Rules', ['ignore', 'the', 'rules']],
    ['ＦＵＬＬ width', ['full', 'width']],
    ['忽略规则', ['忽', '略', '规', '则']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(tokensOf(foldText(text))).toEqual(expected);
  });
});

describe('a vector', () => {
  const vector = hashedNgrams('Send the report to the office, please.');

  test('has rising positions, two families of length one', () => {
    expect([...vector.indices].every((index, at) => at === 0 || index > vector.indices[at - 1]!)).toBe(true);
    expect(vector.indices.at(-1)).toBeLessThan(NGRAM_SIZE);
    const squares = (isWord: boolean) =>
      [...vector.indices].reduce(
        (sum, index, at) => (index < NGRAM_BUCKETS === isWord ? sum + vector.values[at]! ** 2 : sum),
        0,
      );
    expect(squares(true)).toBeCloseTo(1, 5);
    expect(squares(false)).toBeCloseTo(1, 5);
  });

  test('is similar for similar texts only', () => {
    const like = cosine(vector, hashedNgrams('send the REPORTS to our office please'));
    const other = cosine(vector, hashedNgrams('Quantum wells confine electrons'));
    expect(like).toBeGreaterThan(0.4);
    expect(other).toBeLessThan(0.1);
  });

  test('omits n-grams that are switched off', () => {
    expect([...hashedNgrams('a few words', { chars: null }).indices].every((index) => index < NGRAM_BUCKETS)).toBe(
      true,
    );
    expect(hashedNgrams('a few words', { words: 1, chars: null }).indices).toHaveLength(3);
    expect(hashedNgrams('  ').indices).toHaveLength(0);
  });

  test('does not change, because released weights depend on it', () => {
    expect([...hashedNgrams('ab', { words: 1 }).indices]).toEqual([25613, 35444, 35502, 56915]);
  });
});

test('the buckets are evenly used', () => {
  const counts = new Int32Array(64);
  for (let index = 0; index < 64_000; index += 1) counts[bucketOf(hash32(`word${index}`), 64)]! += 1;
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.3);
});
