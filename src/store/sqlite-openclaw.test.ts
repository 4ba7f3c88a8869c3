import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOpenClawDatabase } from './sqlite-openclaw.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-openclaw-test-'));
  file = join(folder, 'packed.sqlite');
  const database = new BetterSqlite3(file);
  database.exec('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)');
  const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, NULL, ?)');
  const event = zstdCompressSync(Buffer.from(JSON.stringify({ text: 'a'.repeat(100_000) })));
  for (let at = 0; at < 10; at += 1) insert.run(`s-${at % 5}`, at, event);
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('packed events of an OpenClaw database', () => {
  it('are read up to a total limit', () => {
    expect(readOpenClawDatabase(file, { addonPath: undefined, maxBytes: 1_100_000 })!.length).toBeGreaterThan(
      1_000_000,
    );
    expect(() => readOpenClawDatabase(file, { addonPath: undefined, maxBytes: 900_000 })).toThrow(
      'its events have more than 900000 bytes unpacked',
    );
  });

  it('that cannot be decompressed are reported as damaged', () => {
    const other = join(folder, 'damaged.sqlite');
    const database = new BetterSqlite3(other);
    database.exec('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)');
    const packed = zstdCompressSync(Buffer.from('{"text":"a"}'));
    const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)');
    insert.run('s', 0, null, packed);
    insert.run('s', 1, null, packed.subarray(0, packed.length - 3));
    insert.run('s', 2, '{"text":"b"}', null);
    database.close();
    const { transcript_events: events } = JSON.parse(readOpenClawDatabase(other, { addonPath: undefined })!.toString());
    expect(events.map(({ event_json, event_zstd }: Record<string, string>) => [event_json, event_zstd])).toEqual([
      ['{"text":"a"}', undefined],
      [null, 'damaged'],
      ['{"text":"b"}', undefined],
    ]);
  });
});
