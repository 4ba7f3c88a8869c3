import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StatementCache } from './statement-cache.ts';

let database: BetterSqlite3.Database;
let cache: StatementCache;
beforeEach(() => {
  database = new BetterSqlite3(':memory:');
  cache = new StatementCache(database);
  cache.prepare('create table things (name text)').run([]);
});
afterEach(() => cache.close());

describe('statement cache', () => {
  it('prepares a text once', () => {
    const text = 'insert into things values (?)';
    expect(cache.prepare(text)).toBe(cache.prepare(text));
    expect(cache.size).toBe(1);
  });

  it('returns another statement while one is iterated', () => {
    for (const name of ['a', 'b']) cache.prepare('insert into things values (?)').run([name]);
    const text = 'select name from things order by name';
    const seen: unknown[] = [];
    for (const row of cache.prepare(text).iterate([])) {
      seen.push((row as { name: string }).name);
      expect(cache.prepare(text).all([])).toHaveLength(2);
    }
    expect(seen).toEqual(['a', 'b']);
  });

  it('sees new columns after the schema changed', () => {
    cache.prepare('insert into things values (?)').run(['a']);
    expect(cache.prepare('select * from things').all([])).toEqual([{ name: 'a' }]);
    cache.prepare('alter table things add column size integer').run([]);
    expect(cache.prepare('select * from things').all([])).toEqual([{ name: 'a', size: null }]);
  });

  it.each([
    ['many texts', Array.from({ length: 600 }, (_, at) => `select ${at}`), 500],
    ['long texts', [`select '${'x'.repeat(40_000)}'`], 0],
  ])('is bounded: %s', (_name, texts, size) => {
    for (const text of texts) cache.prepare(text).all([]);
    expect(cache.size).toBe(size);
  });

  it('drops the least recently used statement', () => {
    const kept = cache.prepare('select 0');
    for (let at = 1; at < 500; at += 1) cache.prepare(`select ${at}`);
    cache.prepare('select 0');
    cache.prepare('select 500');
    expect(cache.prepare('select 0')).toBe(kept);
  });
});
