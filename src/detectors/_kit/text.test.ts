import { describe, expect, it } from 'vitest';
import {
  counted,
  cut,
  endOf,
  fromWord,
  lengthInLetters,
  letterCount,
  letterWords,
  textKey,
  withoutFences,
  wordCount,
  wordOverlap,
  words,
} from './text.ts';

describe('text', () => {
  it('cuts to the limit and never inside a surrogate pair', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('ab…');
    expect(cut('a😀bcd', 3)).toBe('a…');
  });

  it.each([
    ['the ferry leaves at noon', 16, 'the ferry…'],
    ['the ferry leaves at noon', 17, 'the ferry leaves…'],
    ['oneverylongwordwithoutanyblank', 12, 'oneverylong…'],
    [`a ${'x'.repeat(100)}`, 60, `a ${'x'.repeat(57)}…`],
    ['渡轮中午从码头出发', 5, '渡轮中午…'],
    ['{"id":"customer_by_name_7"}', 12, '{"id":"…'],
    ['{"customer_name":"Alexander","city":"Bern"}', 24, '{"customer_name":"…'],
    ['{"customer_name":"Alexander","city":"Bern"}', 30, '{"customer_name":"Alexander",…'],
    ['[12041,12042,12043]', 12, '[12041,…'],
    ['{"note":"a\\"quoted\\"b"}', 12, '{"note":"…'],
    ['find_customer_by_id(customer_no=7)', 24, 'find_customer_by_id(…'],
  ])('ends with a whole word if a space is near: %s, %d', (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  const LONG = `https://shop.example/orders/1290412/items?note=${'x'.repeat(200)}`;
  it.each([
    ['https://shop.example/orders/1290412', 32, 'https://shop.example/orders/1290412'],
    ['not found: https://shop.example/orders/1290412', 40, 'not found: https://shop.example/orders/1290412'],
    ['see https://shop.example/orders/1290412 for more', 32, 'see https://shop.example/orders/1290412 …'],
    ['{"url":"https://shop.example/orders/1290412"}', 30, '{"url":"https://shop.example/orders/1290412"}'],
    ['see https://shop.example/orders, or ask', 31, 'see https://shop.example/orders …'],
    ['the first of https://shop.example/orders/1', 12, 'the first…'],
    [`see ${LONG}`, 45, 'see https://shop.example/orders/1290412/…'],
    [`see ${LONG}`, 60, 'see https://shop.example/orders/1290412/items?…'],
    [`see https://${'x'.repeat(200)}.example/orders`, 30, 'see…'],
    [`https://${'x'.repeat(200)}.example/orders`, 14, 'https://…'],
  ])('keeps an address whole or ends after a whole part of it: %s, %d', (text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  it('does not exceed the limit without an allowance', () => {
    expect(cut('see https://shop.example/orders/1290412', 34, 0)).toBe('see https://shop.example/orders/…');
  });

  it.each([
    ['not found: https://shop.example/orders/1290412', 12, 'https://shop.example/orders/1290412'],
    [`${LONG} was not found`, 30, 'was not found'],
  ])('the end does not begin inside an address: %s, %d', (text, limit, expected) => {
    expect(endOf(text, limit)).toBe(expected);
  });

  it.each([
    ['the ferry leaves at noon', 30, 'the ferry leaves at noon'],
    ['the ferry leaves at noon', 13, 'at noon'],
    ['the ferry leaves at noon', 14, 'leaves at noon'],
    ['1 passed\nfailed: cart.test.ts\nexit 1', 28, 'failed: cart.test.ts\nexit 1'],
    ['oneverylongwordwithoutanyblank', 5, 'blank'],
    ['渡轮中午从码头出发', 4, '码头出发'],
    ['ab😀cd', 3, 'cd'],
    ['{"customer_name":"Alexander"}', 15, '":"Alexander"}'],
    ['', 5, ''],
  ])('the end begins with a whole word if a space is near: %j, %d', (text, limit, expected) => {
    expect(endOf(text, limit)).toBe(expected);
  });

  it.each([
    ['the ferry leaves', 0, 'the ferry leaves'],
    ['the ferry leaves', 4, 'ferry leaves'],
    ['the ferry leaves', 6, 'leaves'],
    ['the ferry leaves', -3, 'the ferry leaves'],
  ])('a part begins with a whole word: %j from %d', (text, at, expected) => {
    expect(fromWord(text, at)).toBe(expected);
  });

  it('keeps the relevant part of the text', () => {
    expect(fromWord('xxxxxxxx<order> and more text', 4, 8)).toBe('xxxx<order> and more text');
  });

  it('finds words of any script', () => expect(words('Ça va, Привет 42!')).toEqual(['ça', 'va', 'привет', '42']));

  it.each([
    ['plain_words and 42x', ['plain', 'words', 'and', '42x']],
    ['naïve “quoted” don’t x²y', ['naïve', 'quoted', 'don', 't', 'x²y']],
    ['𝔘nicode 中文字 half-ｗidth', ['𝔘nicode', '中文字', 'half', 'ｗidth']],
  ])('finds the same words as Unicode classes do: %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
    expect(words(text)).toEqual(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    expect(letterWords(text)).toEqual(text.toLowerCase().match(/\p{L}+/gu));
    expect(letterCount(text)).toBe(text.match(/\p{L}/gu)!.length);
  });

  it.each([
    ['a ```code``` b', 'a   b'],
    ['a ```open', 'a  '],
    ['a `b` c', 'a `b` c'],
  ])('blanks fences: %s', (text, expected) => expect(withoutFences(text)).toBe(expected));

  it('measures shared words', () => {
    expect(wordOverlap(new Set(['a', 'b']), new Set(['b', 'c']))).toBeCloseTo(1 / 3);
    expect(wordOverlap(new Set(), new Set())).toBe(1);
  });

  it('counts with the noun', () =>
    expect([counted(1, 'call'), counted(1200, 'call')]).toEqual(['1 call', '1,200 calls']));

  it('gives different texts different keys', () => {
    const keys = Array.from({ length: 5000 }, (_, n) => textKey(`text ${n}`));
    expect(new Set(keys).size).toBe(5000);
    expect(textKey('same')).toBe(textKey('same'));
  });
});

it.each([
  ['three short words', 3, 17],
  ['索引を開けません', 4, 20],
  ['order 12 です', 3, 14],
  ['', 0, 0],
])('%j has %i words and is %i letters long', (text, count, length) => {
  expect(wordCount(text)).toBe(count);
  expect(lengthInLetters(text)).toBe(length);
});
