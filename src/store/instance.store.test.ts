import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readInstanceValue, readOrCreateInstanceValue } from './instance.store.ts';
import { type OpenedStore, openStore } from './open-store.ts';

let store: OpenedStore;
beforeEach(async () => {
  store = await openStore({ file: ':memory:', durability: 'normal' }, { now: () => 0 });
});
afterEach(() => store.close());

describe('readOrCreateInstanceValue', () => {
  it('creates a value once', async () => {
    expect(await readOrCreateInstanceValue(store.db, 'salt', () => 'first')).toBe('first');
    expect(await readOrCreateInstanceValue(store.db, 'salt', () => 'second')).toBe('first');
    expect(await readInstanceValue(store.db, 'salt')).toBe('first');
  });

  it('returns the value that another process created meanwhile', async () => {
    const create = () => 'mine';
    const answers = await Promise.all([
      readOrCreateInstanceValue(store.db, 'salt', () => 'theirs'),
      readOrCreateInstanceValue(store.db, 'salt', create),
    ]);
    expect(new Set(answers).size).toBe(1);
  });

  it('writes nothing if the value exists', async () => {
    await readOrCreateInstanceValue(store.db, 'salt', () => 'first');
    await sql`pragma query_only = on`.execute(store.db);
    const create = () => {
      throw new Error('not called');
    };
    expect(await readOrCreateInstanceValue(store.db, 'salt', create)).toBe('first');
  });
});
