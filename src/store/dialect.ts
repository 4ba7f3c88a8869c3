import BetterSqlite3 from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, SqliteDialect, SqliteDriver, sql } from 'kysely';
import type { ColumnTypes } from '../../migrations/column-types.ts';
import type { StoreConnection } from './connection.ts';
import type { Database } from './schema.ts';
import { GuardedConnection } from './sqlite-guard.ts';
import { createSpaceControl, limitSpace } from './sqlite-space.ts';
import { StatementCache } from './statement-cache.ts';
import { StoreState } from './store-state.ts';

/** `normal` survives a killed process; `full` survives a power failure. */
export type Durability = 'normal' | 'full';

export interface SqliteOptions {
  /** Path of the database file, or `:memory:`. */
  file: string;
  durability: Durability;
  /** Path of the native addon inside the executable; if omitted, the package resolves its own. */
  addonPath?: string;
  isReadOnly?: boolean;
  /** A `CheckpointThread` checkpoints the write-ahead log, so commits do not. */
  hasCheckpointThread?: boolean;
  /** Called with every statement error, before it is thrown to the caller. */
  onError?(error: unknown): void;
}

export const sqliteColumnTypes: ColumnTypes = {
  serial: sql`integer`,
  bigint: sql`integer`,
  double: sql`real`,
  bytes: sql`blob`,
  keyed: sql`without rowid`,
};

/** Large pages hold several span chunks each, which keeps the file compact (docs/decisions/0003). */
const PAGE_BYTES = 16_384;
const BUSY_MS = 5_000;

/**
 * Page cache of a connection, KiB. SQLite drops the cache of a connection whenever another one commits, so a large
 * cache helps only the writing connection; readers rely on the page cache of the operating system.
 */
const WRITER_CACHE_KIB = 32_768;
const READER_CACHE_KIB = 8_192;

/** The only module that depends on SQLite-specific settings and statements. */
export function openSqlite(options: SqliteOptions): StoreConnection {
  const database = new BetterSqlite3(options.file, {
    nativeBinding: options.addonPath,
    readonly: options.isReadOnly ?? false,
    timeout: BUSY_MS,
  });
  database.pragma(`page_size = ${PAGE_BYTES}`);
  if (!options.isReadOnly) limitSpace(database, options.hasCheckpointThread ?? false);
  database.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = ON');
  // Deleted content is overwritten, so that it cannot be recovered from the file.
  database.pragma('secure_delete = ON');
  database.pragma(`cache_size = -${options.isReadOnly ? READER_CACHE_KIB : WRITER_CACHE_KIB}`);
  const state = new StoreState(options.file);
  const db = new Kysely<Database>({ dialect: new ImmediateSqliteDialect(database, state, options.onError) });
  let isClosed = false;
  return {
    db,
    state,
    ...createChangeMarks(database),
    space: createSpaceControl(database, BUSY_MS, () => state.fault === null),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await db.destroy();
    },
  };
}

/** SQLite counts the commits of other connections, and the changes of this one. */
function createChangeMarks(database: BetterSqlite3.Database): Pick<StoreConnection, 'changeMark' | 'othersChangeMark'> {
  const byOthers = database.prepare('pragma data_version').pluck();
  const byUs = database.prepare('select total_changes()').pluck();
  return {
    changeMark: () => `${byOthers.get()} ${byUs.get()}`,
    othersChangeMark: () => String(byOthers.get()),
  };
}

/**
 * Transactions take the write lock at once: one that reads first and writes later could otherwise fail on another
 * process's commit, and waiting would not help.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #database: BetterSqlite3.Database;
  readonly #state: StoreState;
  readonly #onError: SqliteOptions['onError'];

  constructor(database: BetterSqlite3.Database, state: StoreState, onError: SqliteOptions['onError']) {
    super({ database });
    this.#database = database;
    this.#state = state;
    this.#onError = onError;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#database, this.#state, this.#onError);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: BetterSqlite3.Database;
  readonly #state: StoreState;
  readonly #onError: SqliteOptions['onError'];
  #connection: DatabaseConnection | null = null;

  constructor(database: BetterSqlite3.Database, state: StoreState, onError: SqliteOptions['onError']) {
    super({ database: new StatementCache(database) });
    this.#database = database;
    this.#state = state;
    this.#onError = onError;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= new GuardedConnection(await super.acquireConnection(), this.#state, this.#onError);
    return this.#connection;
  }

  /** SQLite rolls back by itself if the disk is full or failing; a second rollback would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Copies the open database into `target` through SQLite's backup interface: a consistent file while others write. */
export async function backupSqlite(source: string, target: string, addonPath: string | undefined): Promise<void> {
  const database = new BetterSqlite3(source, { nativeBinding: addonPath, readonly: true, timeout: BUSY_MS });
  try {
    await database.backup(target);
  } finally {
    database.close();
  }
}

/** `['ok']` for a valid file, otherwise SQLite's error messages. */
export function checkIntegrity(file: string, addonPath: string | undefined): string[] {
  const database = new BetterSqlite3(file, { nativeBinding: addonPath, readonly: true, timeout: BUSY_MS });
  try {
    return (database.pragma('integrity_check') as { integrity_check: string }[]).map((row) => row.integrity_check);
  } finally {
    database.close();
  }
}
