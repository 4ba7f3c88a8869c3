import { describe, expect, test } from 'vitest';
import { eachWordPlace } from './tokens.ts';
import { WordTable } from './word-table.ts';

function numbersOf(text: string, table = new WordTable()): number[] {
  const numbers: number[] = [];
  eachWordPlace(text, (start, end, hash) => {
    const known = table.find(text, start, end, hash);
    numbers.push(known >= 0 ? known : table.add(text.slice(start, end), hash));
  });
  return numbers;
}

describe('word table', () => {
  test.each([
    ['a b a ab b', [0, 1, 0, 2, 1]],
    ['10:30 10 30 10:30', [0, 1, 2, 0]],
    ['größe grosse größe', [0, 1, 0]],
    ['', []],
  ])('%s', (text, expected) => expect(numbersOf(text)).toEqual(expected));

  test('words with the same hash are different entries', () => {
    const table = new WordTable();
    expect(table.find('one', 0, 3, 7)).toBe(-1);
    expect([table.add('one', 7), table.add('two', 7)]).toEqual([0, 1]);
    expect([table.find('one two', 0, 3, 7), table.find('one two', 4, 7, 7)]).toEqual([0, 1]);
    expect(table.find('three', 0, 5, 7)).toBe(-1);
  });

  test('it grows beyond its initial size', () => {
    const words = Array.from({ length: 5000 }, (_, nth) => `w${nth}`).join(' ');
    const expected = Array.from({ length: 5000 }, (_, nth) => nth);
    expect(numbersOf(`${words} ${words}`)).toEqual([...expected, ...expected]);
  });
});
