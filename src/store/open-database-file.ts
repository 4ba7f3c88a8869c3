import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoreConnection } from './connection.ts';
import { checkDatabaseFile } from './data-folder/check-database-file.ts';
import { isOpenHere, recordClosed, recordOpened } from './data-folder/open-files.ts';
import { createOwnerFile } from './data-folder/owner-file.ts';
import { readMarker } from './data-folder/store-marker.ts';
import { openSqlite, type SqliteOptions } from './dialect.ts';
import { firstIntegrityError } from './sqlite-file.ts';
import { faultOfErrno, faultOfSqlite } from './store-fault.ts';
import { assertSameStore } from './store-identity.ts';

/** A larger database is checked by the server after its start (`jobs/integrity-check.ts`), because every command would wait for it. */
export const CHECKED_AT_OPEN_BYTES = 64 * 1024 * 1024;

/**
 * Opens the database of a data folder that `checkDataFolder` has checked. Creates it if it is missing.
 * @throws StoreFault, or AppError `busy`
 */
export async function openDatabaseFile(options: SqliteOptions): Promise<StoreConnection> {
  const { file } = options;
  const marker = readMarker(dirname(file));
  let connection: StoreConnection | null = null;
  try {
    await prepareFile(options, marker);
    connection = openTracked(options);
    await assertSameStore(connection.db, file, marker);
    if (statSync(file).size <= CHECKED_AT_OPEN_BYTES) await checkAtOpen(connection);
    return connection;
  } catch (error) {
    await connection?.close().catch(() => {});
    throw faultOfErrno(faultOfSqlite(error, file), file);
  }
}

async function prepareFile(options: SqliteOptions, marker: string | null): Promise<void> {
  const { file } = options;
  if (isOpenHere(file)) return;
  const header = checkDatabaseFile(file, marker !== null);
  if (header === null) return createOwnerFile(file);
  if (header.applicationId !== 0) return;
  // A database of another program must not be changed, not even its journal mode.
  const reader = openSqlite({ ...options, isReadOnly: true });
  try {
    await assertSameStore(reader.db, file, marker);
  } finally {
    await reader.close();
  }
}

function openTracked(options: SqliteOptions): StoreConnection {
  const connection = openSqlite(options);
  recordOpened(options.file);
  let isClosed = false;
  return {
    ...connection,
    async close() {
      await connection.close();
      if (!isClosed) recordClosed(options.file);
      isClosed = true;
    },
  };
}

async function checkAtOpen({ db, state }: StoreConnection): Promise<void> {
  const integrityError = await firstIntegrityError(db);
  if (integrityError !== null) throw state.reportDamage(integrityError);
}
