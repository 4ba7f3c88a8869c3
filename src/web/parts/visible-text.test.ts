import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test.each([
  ['plain text', 'a <b> & "c"\n\tд', 'a <b> & "c"\n\tд'],
  ['an escape sequence', '\u001b[31mred', '␛[31mred'],
  ['NUL and bell', 'a\0b\u0007', 'a␀b␇'],
  ['a right-to-left override', 'abc\u202Etxt.exe', 'abc⟨U+202E⟩txt.exe'],
  ['isolates', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['a zero-width space', 'pass\u200bword', 'pass⟨U+200B⟩word'],
  ['DEL and C1 controls', '\u007f\u009b', '␡⟨U+009B⟩'],
  ['line ends of Windows', 'a\r\nb', 'a\nb'],
  ['a lone carriage return', 'a\rb', 'a␍b'],
  ['an emoji of several code points', '👩‍💻', '👩‍💻'],
])('the visible text of %s', (_name, text, expected) => {
  expect(visibleText(text)).toBe(expected);
});
