import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLine } from './printable.ts';

describe('printable', () => {
  const rows: [string, string, string][] = [
    ['plain text', 'grüße, 世界 🙂', 'grüße, 世界 🙂'],
    ['a colour', '\x1b[31mred', '\\x1b[31mred'],
    ['a window title', '\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
    ['an 8-bit control sequence', '\x9b2J', '\\x9b2J'],
    ['a carriage return over what stood there', 'ok\rbad', 'ok\\x0dbad'],
    ['a backspace', 'a\bb', 'a\\x08b'],
    ['text turned around', '\u202etxt.exe', '\\u202etxt.exe'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['line ends of either kind', 'a\r\nb\nc\td', 'a\nb\nc\td'],
  ];
  it.each(rows)('%s', (_name, text, expected) => expect(printable(text)).toBe(expected));

  it('makes one line of several', () => expect(printableLine(' a\n\n b\tc ')).toBe('a b c'));

  it('keeps the value of JSON', () => {
    const value = { text: '\x1b[0m \x9b \u202e \x7f', list: [1, { deep: '\u2066' }] };
    const json = printableJson(value);
    expect(json).not.toMatch(/[\x1b\x9b\u202e\x7f\u2066]/);
    expect(JSON.parse(json)).toEqual(value);
  });
});
