import { describe, expect, it } from 'vitest';
import { identifiersIn, linksIn, withoutMarks } from './exact-values.ts';

/** Punctuation of several scripts around a value; `X` stands for the value. */
const AROUND = [
  'X, next',
  'X.',
  '(X)',
  '(X),',
  'X; next',
  'X: next',
  'X!',
  '"X"',
  '“X”,',
  '«X»',
  '[X]',
  'X、次',
  'X。',
  'X，下',
  '「X」',
  '（X）',
  'X؛ ثم',
  'X، ثم',
  'X؟',
  'X۔',
  'X। फिर',
  'X… next',
  '*X*',
  '_X_',
];

describe.each(AROUND)('a value in the text %s', (text) => {
  it('is an identifier without the punctuation', () => {
    expect(identifiersIn(text.replace('X', 'K4471-902'))).toEqual(['K4471-902']);
  });

  it('is an address without the punctuation', () => {
    expect(linksIn(text.replace('X', 'https://shop.example/a/K-105'))).toEqual(['https://shop.example/a/K-105']);
  });
});

it.each(AROUND.map((text) => text.replace(/ .*/, '')).filter((text) => !/[次下]/.test(text)))(
  'marks before and after a word are no part of it: %s',
  (text) => {
    expect(withoutMarks(text.replace('X', 'K-105'))).toBe('K-105');
  },
);

it.each(['#K-105', '/srv/files/', './a.txt', '.env', '@ida', '日本', 'कार्य'])('%s stays', (word) => {
  expect(withoutMarks(word)).toBe(word);
});
