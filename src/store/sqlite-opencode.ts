import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { copyDatabase } from './sqlite-private-copy.ts';

/** A session in OpenCode's own database. Times in Unix milliseconds. */
export interface OpenCodeSessionRow {
  id: string;
  parentId: string | null;
  directory: string;
  title: string;
  createdMs: number;
  updatedMs: number;
}

/**
 * Sessions of OpenCode (1.2 and later), read from a private copy of its database: opening the original would write files
 * next to it.
 */
export class OpenCodeDatabase {
  readonly #folder: string;
  readonly #database: BetterSqlite3.Database;

  /** @throws Error if it cannot be copied or read */
  constructor(file: string, addonPath: string | undefined) {
    this.#folder = mkdtempSync(join(tmpdir(), 'misstep-opencode-'));
    try {
      this.#database = new BetterSqlite3(copyDatabase(this.#folder, file), { nativeBinding: addonPath });
      // A view could compute unlimited rows.
      for (const table of TABLES) assertTable(this.#database, table);
      this.#database.prepare('SELECT id FROM session LIMIT 1').get();
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true });
      throw error;
    }
  }

  sessions(): OpenCodeSessionRow[] {
    return this.#database
      .prepare(
        'SELECT id, parent_id AS parentId, directory, title, time_created AS createdMs, time_updated AS updatedMs FROM session',
      )
      .all() as OpenCodeSessionRow[];
  }

  /** The session as `opencode export` writes it. */
  export(sessionId: string): Buffer {
    const info = this.sessions().find(({ id }) => id === sessionId);
    if (info === undefined) return Buffer.from('');
    const parts = Map.groupBy(this.#rows('part', sessionId), ({ message_id }) => message_id);
    const messages = this.#rows('message', sessionId).map((message) => ({
      info: { ...parsed(message.data), id: message.id, sessionID: sessionId },
      parts: (parts.get(message.id) ?? []).map(({ id, data }) => ({ ...parsed(data), id })),
    }));
    return Buffer.from(JSON.stringify({ info: toInfo(info), messages }));
  }

  close(): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #rows(table: 'message' | 'part', sessionId: string): { id: string; message_id?: string; data: string }[] {
    return this.#database
      .prepare(`SELECT * FROM ${table} WHERE session_id = ? ORDER BY time_created, id`)
      .all(sessionId) as { id: string; message_id?: string; data: string }[];
  }
}

const TABLES = ['session', 'message', 'part'];

/** @throws Error if no table has this name, for instance because it is a view */
function assertTable(database: BetterSqlite3.Database, name: string): void {
  const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name);
  if (isTable === undefined) throw new Error(`it has no table ${name}`);
}

function toInfo({ id, parentId, directory, title, createdMs, updatedMs }: OpenCodeSessionRow) {
  const parent = parentId === null ? {} : { parentID: parentId };
  return { id, ...parent, directory, title, time: { created: createdMs, updated: updatedMs } };
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
