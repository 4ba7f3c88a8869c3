import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenCodeDatabase } from './sqlite-opencode.ts';

const SESSION =
  'CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INT, time_updated INT)';
const MESSAGE = 'CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT)';
const PART = 'CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INT, data TEXT)';
const ENDLESS = (name: string, columns: string) =>
  `CREATE VIEW ${name} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ${columns} FROM n`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-opencode-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function fileOf(...statements: string[]): string {
  const file = join(folder, 'opencode.db');
  const database = new BetterSqlite3(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return file;
}

describe('the database of OpenCode', () => {
  it('is read from its tables', () => {
    const database = new OpenCodeDatabase(
      fileOf(SESSION, MESSAGE, PART, "INSERT INTO session VALUES ('s1', NULL, '/srv', 'Fix it', 1, 2)"),
      undefined,
    );
    expect(database.sessions()).toMatchObject([{ id: 's1', title: 'Fix it' }]);
    database.close();
  });

  it.each([
    ['session', [ENDLESS('session', "'s' || i AS id"), MESSAGE, PART]],
    ['message', [SESSION, ENDLESS('message', "'m' || i AS id, 's1' AS session_id"), PART]],
    ['part', [SESSION, MESSAGE, ENDLESS('part', "'p' || i AS id, 's1' AS session_id")]],
  ])('is rejected if %s is a view, which may have unlimited rows', (name, statements) => {
    expect(() => new OpenCodeDatabase(fileOf(...statements), undefined)).toThrow(`it has no table ${name}`);
  });
});
