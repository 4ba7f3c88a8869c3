import { describe, expect, it } from 'vitest';
import { eachWord, isNumberWord } from './tokens.ts';

function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

describe('eachWord', () => {
  it.each([
    ['one two', ['one', 'two']],
    ['costs 1,234.5 at 12:30.', ['costs', '1,234.5', 'at', '12:30']],
    ['v1.2, end.', ['v1', '2', 'end']],
    ['snake_case()', ['snake_case']],
    ['größe — 東京、大阪', ['größe', '東京', '大阪']],
    ['', []],
  ])('%j', (text, expected) => expect(wordsOf(text)).toEqual(expected));

  it('distinguishes numbers from words', () => {
    expect(['7', '7.5', 'x7', 'seven'].map(isNumberWord)).toEqual([true, true, false, false]);
  });
});
