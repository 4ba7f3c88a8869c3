import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { dataFolder, loadSet, unlabelled } from './load-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'misstep-sets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const line = (id: string) =>
  JSON.stringify({
    id,
    dataset: 'shop',
    kind: 'text',
    framework: null,
    text: 'hi',
    sources: null,
    labels: { ok: true },
    meta: { x: 1 },
    group: 'g',
    label_source: 'human',
  });
writeFileSync(join(folder, 'shop.jsonl.gz'), gzipSync(`${line('b')}\n${line('a')}\n`));

test('records are sorted by id, complete, and without the labels', () => {
  const [first, second] = loadSet('shop', folder);
  expect([first!.id, second!.id]).toEqual(['a', 'b']);
  expect(first).toMatchObject({ framework: '', sources: [], labels: { ok: true }, group: 'g' });
  expect(unlabelled(first!)).toEqual({
    id: 'a',
    dataset: 'shop',
    kind: 'text',
    framework: null,
    text: 'hi',
    sources: null,
  });
});

test('a missing set is empty', () => {
  expect(loadSet('none', folder)).toEqual([]);
});

test.each([
  [[], '../shared/datasets/dev'],
  [['--data', 'here'], 'here'],
])('the folder of %j', (args, expected) => {
  expect(dataFolder(args)).toBe(expected);
});
