import { expect, test } from 'vitest';
import { containerText, entriesOf, hasInTexts, openAtFirst } from './json-open.ts';

test('a small value is open throughout', () => {
  const inner = { c: 1 };
  const value = { a: [inner], b: 2 };
  expect(openAtFirst(value)).toEqual(new Set([value, value.a, inner]));
});

test('of a large value the outer levels are open', () => {
  const value = Array.from({ length: 40 }, () => ({ a: { b: { c: 1 } } }));
  const open = openAtFirst(value);
  expect(open.has(value)).toBe(true);
  expect(open.has(value[0]!.a)).toBe(true);
  expect(open.has(value[39]!.a.b)).toBe(false);
  expect(open.size).toBeLessThan(130);
});

test('the outermost level is open, whatever its size', () => {
  const value = Array.from({ length: 100_000 }, () => ({ a: 1 }));
  expect(openAtFirst(value).has(value)).toBe(true);
});

test('a value of depth 4,000 is opened without recursion, and not to its end', () => {
  let value: unknown = 'core';
  for (let depth = 0; depth < 4_000; depth++) value = { inner: value };
  expect(openAtFirst(value).size).toBeLessThan(130);
});

test.each([
  [{}, '{0 members}'],
  [{ a: 1 }, '{1 member}'],
  [[1, 2], '[2 items]'],
])('%j is described', (value, expected) => expect(containerText(value)).toBe(expected));

test('members are in order and at most the requested number', () => {
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
])('%s has the passage: %j', (_name, value, expected) => expect(hasInTexts(value, 'find me')).toBe(expected));
