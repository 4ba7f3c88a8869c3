import { expect, test } from 'vitest';
import { escapeMarkdown } from './trace-markdown.ts';

test.each([
  ['a\nb  c', 'a b c'],
  ['[x](javascript:y)', '\\[x\\]\\(javascript:y\\)'],
  ['<img src=x>', '\\<img src=x\\>'],
  ['![](http://a.test)', '\\!\\[\\]\\(http:\\//a.test\\)'],
  ['@everyone', '\\@everyone'],
  ['`code`', '\\`code\\`'],
])('%j is escaped', (text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected);
});
