import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { toPlainAscii } from './plain-ascii.ts';

describe('code as plain ASCII', () => {
  it.each([
    ['a word', '/忽略/', '请忽略它', true],
    ['a class', '/^[。！]$/', '！', true],
    ['a class that does not hold it', '/^[。！]$/', '？', false],
    ['a range', '/^[а-я]+$/', 'промпт', true],
    ['a pair of surrogates with the u flag', '/^[😀-😎]$/u', '😅', true],
    ['a pair of surrogates without it', '/^😀$/', '😀', true],
    ['a Latin-1 character', '/µs/', '5µs', true],
    ['nothing to escape', '/\\d+/', '42', true],
  ])('keeps what a regular expression matches: %s', (_title, source, text, isMatch) => {
    const code = toPlainAscii(source);
    expect(code).toMatch(/^[\0-\x7f]*$/);
    expect((runInThisContext(code) as RegExp).test(text)).toBe(isMatch);
  });

  it('rejects a raw template, in which an escape is not a character', () => {
    expect(() => toPlainAscii('String.raw`é`')).toThrow('raw template');
  });
});
