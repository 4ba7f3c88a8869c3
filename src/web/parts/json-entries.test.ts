import { expect, test } from 'vitest';
import { containerText, containsText, entriesOf, initiallyOpen } from './json-entries.ts';

test('a small value is fully open', () => {
  const inner = { c: 1 };
  const value = { a: [inner], b: 2 };
  expect(initiallyOpen(value)).toEqual(new Set([value, value.a, inner]));
});

test('only the outer levels of a large value are open', () => {
  const value = Array.from({ length: 40 }, () => ({ a: { b: { c: 1 } } }));
  const open = initiallyOpen(value);
  expect(open.has(value)).toBe(true);
  expect(open.has(value[0]!.a)).toBe(true);
  expect(open.has(value[39]!.a.b)).toBe(false);
  expect(open.size).toBeLessThan(130);
});

test('the outermost level is open, whatever its size', () => {
  const value = Array.from({ length: 100_000 }, () => ({ a: 1 }));
  expect(initiallyOpen(value).has(value)).toBe(true);
});

test('a value of depth 4,000 is partly opened without recursion', () => {
  let value: unknown = 'core';
  for (let depth = 0; depth < 4_000; depth++) value = { inner: value };
  expect(initiallyOpen(value).size).toBeLessThan(130);
});

test.each([
  [{}, '{0 members}'],
  [{ a: 1 }, '{1 member}'],
  [[1, 2], '[2 items]'],
])('the summary of %j', (value, expected) => expect(containerText(value)).toBe(expected));

test('entriesOf returns members in order, up to the limit', () => {
  expect(entriesOf({ b: 1, a: 2 }, 5).map(({ key }) => key)).toEqual(['b', 'a']);
  expect(entriesOf([7, 8, 9], 2)).toEqual([
    { key: '0', value: 7 },
    { key: '1', value: 8 },
  ]);
});

test.each([
  ['a text', 'find me', true],
  ['a text inside', { a: [{ b: 'find me' }] }, true],
  ['a key', { 'find me': 1 }, false],
  ['a passage across members', { find: 'me' }, false],
])('%s has the passage: %j', (_name, value, expected) => expect(containsText(value, 'find me')).toBe(expected));
