import { expect, test } from 'vitest';
import type { AttributeValue } from '../../core/span.ts';
import { asCount, asText, jsonAt, jsonOrText, textAt, textsAt, toText } from './attribute-values.ts';

test.each<[string, AttributeValue | undefined, number | undefined]>([
  ['a number', 12, 12],
  ['a number as text', '449', 449],
  ['an exact 64-bit number', { $int64: '1152921504606846976' }, 2 ** 60],
  ['zero', 0, 0],
  ['not a number', { $double: 'NaN' }, undefined],
  ['less than nothing', -1, undefined],
  ['words', 'many', undefined],
  ['empty text', ' ', undefined],
  ['no value', undefined, undefined],
])('asCount: %s', (_, value, count) => {
  expect(asCount(value)).toBe(count);
});

test.each<[string, AttributeValue | undefined, string | undefined]>([
  ['text', 'a', 'a'],
  ['empty text', '', undefined],
  ['a number', 3, '3'],
  ['a flag', true, 'true'],
  ['an exact number', { $int64: '9007199254740993' }, '9007199254740993'],
  ['a map', { a: 1 }, undefined],
])('asText: %s', (_, value, text) => {
  expect(asText(value)).toBe(text);
});

test('the first key with text wins', () => {
  expect(textAt({ a: '', b: 'x', c: 'y' }, 'a', 'b', 'c')).toBe('x');
});

test.each<[AttributeValue, string[]]>([
  [
    ['stop', 'length'],
    ['stop', 'length'],
  ],
  ['["stop"]', ['stop']],
  ['stop', ['stop']],
])('textsAt: %j', (value, texts) => {
  expect(textsAt({ k: value }, 'k')).toEqual(texts);
});

test.each([
  ['{"a":1}', { a: 1 }],
  [' [1]', [1]],
  ['"quoted"', 'quoted'],
  ['12', '12'],
  ['{broken', '{broken'],
])('jsonOrText: %s', (text, value) => {
  expect(jsonOrText(text)).toEqual(value);
});

test('structured values are returned unchanged', () => {
  expect(jsonAt({ k: { a: [1] } }, 'k')).toEqual({ a: [1] });
});

test('a value nested too deep stays text', () => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(jsonOrText(text)).toBe(text);
  expect(toText(JSON.parse(text))).toBeTypeOf('string');
});
