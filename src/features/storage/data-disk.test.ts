import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDataDisk } from './data-disk.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('has the size of the write-ahead log, and 0 without one', () => {
  const disk = createDataDisk(folder);
  expect(disk.logBytes()).toBe(0);
  writeFileSync(join(folder, 'misstep.db-wal'), Buffer.alloc(1_234));
  expect(disk.logBytes()).toBe(1_234);
});
