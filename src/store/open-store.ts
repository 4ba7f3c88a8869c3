import { dirname } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/id.ts';
import type { StoreConnection } from './connection.ts';
import { checkDataFolder, type FolderCorrection } from './data-folder/check-data-folder.ts';
import { FolderLock } from './data-folder/folder-lock.ts';
import { copyBeforeMigrating } from './data-folder/migration-copies.ts';
import { readMarker, writeMarker } from './data-folder/store-marker.ts';
import { openSqlite, type SqliteOptions, sqliteColumnTypes } from './dialect.ts';
import { createMigrator, type Migrator } from './migrator.ts';
import { openDatabaseFile } from './open-database-file.ts';
import { faultOfSqlite } from './store-fault.ts';
import { ensureStoreId } from './store-identity.ts';

export interface UnmigratedStore extends StoreConnection {
  migrator: Migrator;
  /** Permissions that were corrected in the data folder. */
  corrections: FolderCorrection[];
}

export interface OpenedStore extends UnmigratedStore {
  /** Path of the copy made before migrating; null if nothing was migrated or the database is new. */
  backupFile: string | null;
}

export interface OpenStoreOptions extends SqliteOptions {
  /** The caller has a `FolderLock`. Without one, a migration takes it for its duration. */
  isHeld?: boolean;
}

const MEMORY = ':memory:';

/**
 * Opens the database file and migrates it, after a copy of an existing one.
 * @throws StoreFault, or AppError `database_newer` or `busy`
 */
export async function openStore(options: OpenStoreOptions, clock: Clock): Promise<OpenedStore> {
  const store = await openUnmigrated(options, clock);
  try {
    const status = await store.migrator.status();
    const pending = status.filter((migration) => migration.appliedAt === null);
    const isNew = pending.length === status.length;
    const backupFile = pending.length > 0 && !isNew ? await migrateHeld(store.migrator, options, clock) : null;
    if (isNew) await store.migrator.up();
    await initializeStoreId(store, options.file, clock);
    return { ...store, backupFile };
  } catch (error) {
    await store.close();
    throw faultOfSqlite(error, options.file);
  }
}

/** Opens without changing the schema: for `migrate` itself. @throws StoreFault, or AppError `busy` */
export async function openUnmigrated(options: SqliteOptions, clock: Clock): Promise<UnmigratedStore> {
  const corrections = options.file === MEMORY ? [] : checkDataFolder(dirname(options.file));
  const connection = options.file === MEMORY ? openSqlite(options) : await openDatabaseFile(options);
  return { ...connection, corrections, migrator: createMigrator(connection, migrations, sqliteColumnTypes, clock) };
}

/** Gives database and folder the same id, once the schema is up to date. */
export async function initializeStoreId(store: StoreConnection, file: string, clock: Clock): Promise<void> {
  if (file === MEMORY) return;
  const folder = dirname(file);
  const create = () => newId('str', clock);
  await ensureStoreId(store, readMarker(folder), create, (storeId) => writeMarker(folder, storeId));
}

/** A running server would see a schema that it does not know. @returns path of the copy */
async function migrateHeld(
  migrator: Migrator,
  { isHeld = false, ...options }: OpenStoreOptions,
  clock: Clock,
): Promise<string | null> {
  const hold = isHeld ? null : FolderLock.acquire(dirname(options.file), clock.now(), options.addonPath);
  try {
    const copy = await copyBeforeMigrating(options, clock);
    await migrator.up();
    return copy;
  } finally {
    hold?.release();
  }
}
