import { expect, it } from 'vitest';
import { markWordings, WORDING_NAMES, wordingsOf } from './wording.ts';

const named = (bits: number) => WORDING_NAMES.filter((_, nth) => (bits >> nth) & 1);

it.each([
  ['therefore', ['conclusion']],
  ['simulated', ['assumption']],
  ['calculating', ['calculation']],
  ['assumption', ['assumption']],
  ['ass', []],
  ['banana', []],
])('the word %s', (word, expected) => expect(named(wordingsOf(word))).toEqual(expected));

it('recognizes code blocks and lists', () => {
  expect(named(markWordings('```python\n1\n```'))).toEqual(['code']);
  expect(named(markWordings('- one\n- two'))).toEqual(['list']);
  expect(named(markWordings('plain'))).toEqual([]);
});

it('there are few enough names for a bit mask', () => expect(WORDING_NAMES.length).toBeLessThan(31));
