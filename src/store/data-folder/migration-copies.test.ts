import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkIntegrity, openSqlite } from '../dialect.ts';
import { copyBeforeMigrating, migrationCopies } from './migration-copies.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-copies-'));
  file = join(folder, 'misstep.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const clockAt = (second: number) => ({ now: () => Date.UTC(2026, 0, 2, 3, 4, second) });
const copyAt = (second: number, freeBytes?: number) =>
  copyBeforeMigrating(
    { file, durability: 'normal' },
    clockAt(second),
    freeBytes === undefined ? undefined : () => freeBytes,
  );

async function makeDatabase(): Promise<void> {
  const store = openSqlite({ file, durability: 'normal' });
  await store.close();
}

it('the newest three copies are kept, each intact and readable by its owner only', async () => {
  await makeDatabase();
  for (const second of [5, 6, 7, 8, 9]) await copyAt(second);
  const copies = migrationCopies(file);
  expect(copies.map((copy) => basename(copy))).toEqual(
    [7, 8, 9].map((second) => `misstep.db.before-20260102T03040${second}Z.bak`),
  );
  for (const copy of copies) {
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(checkIntegrity(copy, undefined)).toEqual(['ok']);
  }
});

it('without free space for a copy nothing is written', async () => {
  await makeDatabase();
  await expect(copyAt(5, 1_000_000)).rejects.toMatchObject({
    reason: 'no_space_for_copy',
    message: expect.stringMatching(/\d+ MB needed, 1 MB free/),
  });
  expect(migrationCopies(file)).toEqual([]);
});

it('a failed copy leaves no file', async () => {
  writeFileSync(file, 'no database '.repeat(100));
  await expect(copyAt(5)).rejects.toMatchObject({ code: 'store_unusable' });
  expect(readdirSync(folder)).toEqual(['misstep.db']);
});

it('a missing database is not copied', async () => {
  expect(await copyAt(5)).toBeNull();
});
