import { expect, test } from 'vitest';
import { type DiffLine, diffLinesOf, textDiffLines, unifiedDiffLines } from './diff-lines.ts';

const SIGNS = { same: ' ', added: '+', removed: '-', place: '@' };
const rendered = (lines: DiffLine[]) => lines.map(({ kind, text }) => SIGNS[kind] + text);

test.each([
  ['a new text', null, 'a\nb\n', ['+a', '+b']],
  ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', [' a', '-b', '+B', ' c']],
  ['equal texts', 'a\n', 'a\n', ['@…']],
  ['a removed text', 'a\n', '', ['-a']],
])('the diff of %s', (_name, before, after, expected) => {
  expect(rendered(textDiffLines(before, after))).toEqual(expected);
});

test('unchanged lines far from a change are omitted', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  const changed = numbers.map((line, index) => (index === 10 ? 'new\n' : line));
  expect(rendered(textDiffLines(numbers.join(''), changed.join('')))).toEqual([
    '@…',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line 10',
    '+new',
    ' line 11',
    ' line 12',
    ' line 13',
    '@…',
  ]);
});

test('texts with nothing in common are shown in full, one after the other', () => {
  const before = Array.from({ length: 3_000 }, (_, index) => `a${index}\n`).join('');
  const after = Array.from({ length: 3_000 }, (_, index) => `b${index}\n`).join('');
  const lines = textDiffLines(before, after);
  expect([lines[0], lines.at(-1), lines.length]).toEqual([
    { kind: 'removed', text: 'a0' },
    { kind: 'added', text: 'b2999' },
    6_000,
  ]);
});

test('removes the header of a unified diff, but no line that only looks like a header', () => {
  const patch = '=====\n--- before\n+++ after\n@@ -1,2 +1,2 @@\n--- rule\n+++ rule\n\\ No newline at end of file\n';
  expect(rendered(unifiedDiffLines(patch))).toEqual([
    '@@@ -1,2 +1,2 @@',
    '--- rule',
    '+++ rule',
    '@\\ No newline at end of file',
  ]);
});

test.each([
  ['json-patch', null, '[{"op":"replace","path":"/limit","value":6}]', ['@replace /limit', '+6']],
  ['json-patch', null, '[{"op":"remove","path":"/limit"}]', ['-/limit']],
  ['json-patch', null, '[null]', ['+[null]']],
  ['json-patch', null, 'no JSON', ['+no JSON']],
  ['text', 'a\n', 'b\n', ['-a', '+b']],
  ['text', null, 'b\n', ['+b']],
  ['unified-diff', null, '@@ -1 +1 @@\n-a\n+b\n', ['@@@ -1 +1 @@', '-a', '+b']],
] as const)('a change as %s from %j to %j', (format, before, after, expected) => {
  expect(rendered(diffLinesOf({ format, before, after }))).toEqual(expected);
});

test('a unified diff', () => {
  expect(rendered(unifiedDiffLines('--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'))).toEqual([
    '@@@ -1,2 +1,2 @@',
    ' a',
    '-b',
    '+c',
  ]);
});
