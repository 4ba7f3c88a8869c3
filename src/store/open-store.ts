import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import type { Clock } from '../core/clock.ts';
import type { StoreConnection } from './connection.ts';
import { backupSqlite, openSqlite, type SqliteOptions, sqliteColumnTypes } from './dialect.ts';
import { createMigrator, type Migrator } from './migrator.ts';

export interface OpenedStore extends StoreConnection {
  migrator: Migrator;
  /** Path of the copy made before migrating; null where nothing was migrated or nothing was there before. */
  backupFile: string | null;
}

/** Opens the database file and brings it up to date, with a copy beside it before an existing one is changed. */
export async function openStore(options: SqliteOptions, clock: Clock): Promise<OpenedStore> {
  const store = openUnmigrated(options, clock);
  try {
    const status = await store.migrator.status();
    const pending = status.filter((migration) => migration.appliedAt === null);
    const isNew = pending.length === status.length;
    const backupFile = pending.length > 0 && !isNew ? await backUpBeforeMigrating(options, clock) : null;
    await store.migrator.up();
    return { ...store, backupFile };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens without changing the schema: for `migrate` itself. */
export function openUnmigrated(options: SqliteOptions, clock: Clock): StoreConnection & { migrator: Migrator } {
  if (options.file !== ':memory:') mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
  const connection = openSqlite(options);
  return { ...connection, migrator: createMigrator(connection, migrations, sqliteColumnTypes, clock) };
}

/** Copies the database to `<file>.before-<time>.bak` and says where. Null where there is no file yet. */
export async function backUpBeforeMigrating(options: SqliteOptions, clock: Clock): Promise<string | null> {
  if (options.file === ':memory:' || !existsSync(options.file)) return null;
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const target = `${options.file}.before-${stamp}.bak`;
  await backupSqlite(options.file, target, options.addonPath);
  return target;
}
