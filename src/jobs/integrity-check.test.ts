import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { workerEntry } from '../app/runtime-assets.ts';
import { openSqlite } from '../store/dialect.ts';
import { StoreState } from '../store/store-state.ts';
import { startIntegrityCheck } from './integrity-check.ts';

const PAGE_BYTES = 16_384;
let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-integrity-'));
  file = join(folder, 'x.db');
  const store = openSqlite({ file, durability: 'normal' });
  await sql`create table "a ""note" (text text)`.execute(store.db);
  await sql`create table z (text text)`.execute(store.db);
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reports damage that occurs while the server runs, and no error before', async () => {
  const state = new StoreState(file);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const times = { firstMs: 0, everyMs: 10, pauseMs: 0 };
  const check = startIntegrityCheck({ entry: workerEntry(), store: { file }, state, ...times, onError });
  try {
    await new Promise((next) => setTimeout(next, 1_500));
    expect(state.fault).toBeNull();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 3 * PAGE_BYTES, 4 * PAGE_BYTES));
    await vi.waitFor(() => expect(state.fault).toMatchObject({ reason: 'damaged', path: file }), 60_000);
    expect(errors).toEqual([]);
  } finally {
    await check.stop();
  }
});
