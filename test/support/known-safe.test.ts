import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSafeSubjects } from './known-safe.ts';

let folder: string;
let list: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-'));
  list = join(folder, 'list.txt');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('contains what was saved last, and nothing else', () => {
  const file = join(folder, 'deep/known.json');
  expect(openSafeSubjects(file, list, {}).has(['4.5.0', 'i', 'a+'])).toBe(false);
  openSafeSubjects(file, list, {}).save([['4.5.0', 'i', 'b+']]);
  openSafeSubjects(file, list, {}).save([['4.5.0', 'i', 'a+']]);
  const known = openSafeSubjects(file, list, {});
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
  expect(openSafeSubjects(file, list, {}).has('a')).toBe(false);
});

test('contains the committed list; a recording ignores what is known and writes the list', () => {
  const file = join(folder, 'known.json');
  openSafeSubjects(file, list, {}).save(['a']);
  const recording = openSafeSubjects(file, list, { RECORD_SAFE_EXPRESSIONS: '1' });
  expect(recording.has('a')).toBe(false);
  recording.save(['b']);
  const fresh = openSafeSubjects(join(folder, 'none.json'), list, {});
  expect(fresh.has('b')).toBe(true);
  expect(fresh.has('a')).toBe(false);
});
