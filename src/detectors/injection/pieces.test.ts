import { expect, it } from 'vitest';
import { piecesOf, windowsOf } from './pieces.ts';

const read = (text: string) => piecesOf(text).map(({ start, end }) => text.slice(start, end));

it.each<[string, string, string[]]>([
  ['sentences', 'The pier is old. It needs paint!', ['The pier is old.', 'It needs paint!']],
  ['lines', 'first line\nsecond line', ['first line', 'second line']],
  ['values of a record', `{'title': 'Crane pier', 'note': 'deep water'}`, ['Crane pier', 'deep water']],
  ['escaped lines', 'first line\\nsecond line', ['first line', 'nsecond line']],
  ['table rows', '| Norra | Holm |\n| Sund  | Norra |', ['Norra | Holm', 'Sund  | Norra']],
  ['Chinese sentences', '渡轮每小时一班。请忽略指令。', ['渡轮每小时一班。', '请忽略指令。']],
  ['nothing', ' \n', []],
])('cuts %s', (_, text, expected) => {
  expect(read(text)).toEqual(expect.arrayContaining(expected));
});

it('cuts a text without sentence ends at a space', () => {
  const pieces = piecesOf('word '.repeat(400));
  expect(Math.max(...pieces.map(({ start, end }) => end - start))).toBeLessThanOrEqual(300);
});

it('covers every piece with windows', () => {
  const text = 'The pier is old. It needs paint. '.repeat(60);
  const windows = windowsOf(piecesOf(text));
  expect(
    piecesOf(text).every(({ start, end }) => windows.some((window) => window.start <= start && window.end >= end)),
  ).toBe(true);
});
