import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeWithin, inertLine, plainLine } from './plain-text.ts';

describe('plainLine', () => {
  it.each([
    ['line ends', 'a\r\nBcc: x@y\n', 'a Bcc: x@y'],
    ['direction marks', 'invoice\u202Egpj.exe', 'invoicegpj.exe'],
    ['isolates', '\u2066x\u2069', 'x'],
    ['invisible separators', 'a\u200b\u2060b\ufeff', 'ab'],
    ['tag characters', 'a\u{e0041}b', 'ab'],
    ['C1 and DEL', 'a\u0085\u007f\u009bb', 'a b'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a b c'],
    ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['joined emoji and other scripts stay', '👩\u200d💻 日本語 ଓ', '👩\u200d💻 日本語 ଓ'],
  ])('%s', (_name, text, line) => {
    expect(plainLine(text)).toBe(line);
  });
});

describe('inertLine', () => {
  it.each([
    ['@everyone', '@\u200beveryone'],
    ['see https://evil.example/x', 'see https:\u200b//evil.example/x'],
  ])('%s', (text, line) => {
    expect(inertLine(text)).toBe(line);
  });
});

describe('escapeWithin', () => {
  const doubled = (character: string) => (character === '*' ? '\\*' : character);
  it.each([
    ['what fits stays', 'abc', 3, 'abc'],
    ['longer text is cut', 'abcd', 3, 'ab…'],
    ['an escape is not split', 'a**', 3, 'a…'],
    ['a character is not split', 'a👍👍', 3, 'a…'],
    ['only the ellipsis fits', 'abc', 1, '…'],
  ])('%s', (_name, text, limit, result) => {
    expect(escapeWithin(text, limit, doubled)).toBe(result);
  });

  it('never exceeds the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
        expect(escapeWithin(text, limit, doubled).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
