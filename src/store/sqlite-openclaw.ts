import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { DAMAGED_EVENT, unpackEvent } from '../formats/openclaw/packed-event.ts';
import { copyDatabase } from './sqlite-private-copy.ts';

/** A few compressed bytes may become megabytes; the sessions are passed on as one text. */
const MAX_BYTES = 384 * 1024 * 1024;

const MAGIC = 'SQLite format 3\u0000';

/** A pipe is not inspected: bytes that are read from it are lost. @throws Error if the file cannot be read */
export function isSqliteFile(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const head = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, head, 0, head.length, 0) === head.length && head.toString('latin1') === MAGIC;
  } finally {
    closeSync(handle);
  }
}

interface EventRow {
  session_id: string;
  seq: number;
  event_json: string | null;
  event_zstd: Buffer | null;
}

/**
 * The sessions in the database of an OpenClaw agent (`openclaw-agent.sqlite`), one JSON line each, in the format of a batch of
 * rows. Compressed events are decompressed. It reads a private copy, so OpenClaw may run.
 *
 * @returns null if the database is not OpenClaw's
 * @throws Error if it cannot be copied or read, or holds more than `maxBytes` after decompression
 */
export function readOpenClawDatabase(
  file: string,
  { addonPath, maxBytes = MAX_BYTES }: { addonPath: string | undefined; maxBytes?: number },
): Buffer | null {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-openclaw-'));
  try {
    const database = new BetterSqlite3(copyDatabase(folder, file), { nativeBinding: addonPath });
    try {
      return sessionLines(database, new ByteBudget(maxBytes));
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Remaining bytes for events. */
class ByteBudget {
  readonly #maxBytes: number;
  #left: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  /** @throws Error if the limit is exceeded */
  spend(text: string | null): string | null {
    this.#left -= text === null ? 0 : Buffer.byteLength(text);
    if (this.#left < 0) throw new Error(`its events have more than ${this.#maxBytes} bytes unpacked`);
    return text;
  }
}

function sessionLines(database: BetterSqlite3.Database, budget: ByteBudget): Buffer | null {
  const events = columnsOf(database, 'transcript_events');
  if (!events.has('event_json')) return null;
  const keys = keysOf(database);
  const hasTrajectory = columnsOf(database, 'trajectory_runtime_events').has('event_json');
  const ids = database.prepare('SELECT DISTINCT session_id FROM transcript_events ORDER BY session_id').pluck().all();
  const lines = (ids as string[]).map((id) => {
    const session = { id, key: keys.get(id) ?? null };
    const transcript = rowsOf(database, 'transcript_events', id, events.has('event_zstd'), budget);
    const trajectory = hasTrajectory ? rowsOf(database, 'trajectory_runtime_events', id, false, budget) : [];
    return Buffer.from(
      `${JSON.stringify({ session, transcript_events: transcript, trajectory_runtime_events: trajectory })}\n`,
    );
  });
  return Buffer.concat(lines);
}

/** Null for a view: it could compute unlimited rows. */
function columnsOf(database: BetterSqlite3.Database, table: string): Set<string> {
  const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  if (isTable === undefined) return new Set();
  return new Set(database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]);
}

/** Older versions have no table of windows. */
function keysOf(database: BetterSqlite3.Database): Map<string, string> {
  if (!columnsOf(database, 'session_windows').has('session_key')) return new Map();
  const rows = database.prepare('SELECT session_id, session_key FROM session_windows').raw().all();
  return new Map(rows as [string, string][]);
}

function rowsOf(
  database: BetterSqlite3.Database,
  table: string,
  sessionId: string,
  isPacked: boolean,
  budget: ByteBudget,
) {
  const packed = isPacked ? 'event_zstd' : 'NULL AS event_zstd';
  const rows = database
    .prepare(`SELECT session_id, seq, event_json, ${packed} FROM ${table} WHERE session_id = ? ORDER BY seq`)
    .iterate(sessionId) as IterableIterator<EventRow>;
  return Array.from(rows, ({ event_json, event_zstd, ...row }) => {
    const event = budget.spend(event_json ?? (event_zstd === null ? null : unpackEvent(event_zstd)));
    const isDamaged = event === null && event_zstd !== null;
    return { ...row, event_json: event, ...(isDamaged ? { event_zstd: DAMAGED_EVENT } : {}) };
  });
}
