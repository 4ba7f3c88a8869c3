import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSafeSubjects } from './known-safe.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('contains what was saved last, and nothing else', () => {
  const file = join(folder, 'deep/known.json');
  expect(openSafeSubjects(file).has(['4.5.0', 'i', 'a+'])).toBe(false);
  openSafeSubjects(file).save([['4.5.0', 'i', 'b+']]);
  openSafeSubjects(file).save([['4.5.0', 'i', 'a+']]);
  const known = openSafeSubjects(file);
  expect(known.has(['4.5.0', 'i', 'a+'])).toBe(true);
  for (const other of [
    ['4.5.0', 'i', 'b+'],
    ['4.5.1', 'i', 'a+'],
    ['4.5.0', '', 'a+'],
    ['4.5.0', 'i', 'a'],
  ])
    expect(known.has(other)).toBe(false);
});

test('is empty if the file is broken', () => {
  const file = join(folder, 'known.json');
  writeFileSync(file, '["half');
  expect(openSafeSubjects(file).has('a')).toBe(false);
});
