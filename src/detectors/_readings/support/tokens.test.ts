import { describe, expect, it } from 'vitest';
import { splitSentences } from './sentences.ts';
import { stem } from './stem.ts';
import { tokenize } from './tokens.ts';

describe('stem', () => {
  it.each([
    [['released', 'release', 'releases', 'releasing'], 'releas'],
    [['adapted', 'adaptation', 'adapts'], 'adapt'],
    [['cities', 'city'], 'citi'],
    [['planned', 'plan'], 'plan'],
  ])('brings %j together', (words, expected) => {
    expect(new Set(words.map(stem))).toEqual(new Set([expected]));
  });

  it('does not merge different words', () => expect(stem('winter')).not.toBe(stem('window')));
});

describe('tokenize', () => {
  it.each([
    ['1,234 and 1 , 234', ['1234', '1234']],
    ['1.305,97 1,305.97', ['1305.97', '1305.97']],
    ["1'305.97 1,30,597.50", ['1305.97', '130597.5']],
    ['1\u00a0305,97 ١٬٣٠٥٫٩٧ １３０５', ['1305.97', '1305.97', '1305']],
    ['1.2.3', ['1.2.3']],
    ['seven of 7', ['7', '7']],
    ['the Café', ['caf']],
    ['日本語', ['日本', '本語']],
  ])('%s', (text, keys) => {
    expect(
      tokenize(text)
        .filter(({ isStop }) => !isStop)
        .map(({ key }) => key),
    ).toEqual(keys);
  });

  it.each(["doesn't", 'did n’t', "don ' t", 'never'])('%s negates', (text) => {
    expect(tokenize(text).some(({ isNegation }) => isNegation)).toBe(true);
  });

  it('distinguishes names inside a sentence from its first word', () => {
    expect(
      tokenize('Boats sail to Oslo. Fish swim.')
        .filter(({ isName }) => isName)
        .map(({ raw }) => raw),
    ).toEqual(['Oslo']);
  });
});

describe('splitSentences', () => {
  it.each([
    ['Mr. Holm left. He was late!', ['Mr. Holm left.', 'He was late!']],
    ['Version 3.5 is out\n- first\n- second', ['Version 3.5 is out', '- first', '- second']],
    ['一。二', ['一。', '二']],
    ['...', []],
  ])('%s', (text, expected) => expect(splitSentences(text).map((one) => one.text)).toEqual(expected));
});
