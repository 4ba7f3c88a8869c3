import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoreConnection } from './connection.ts';
import { checkDatabaseFile } from './data-folder/check-database-file.ts';
import { isOpenHere, noteClosed, noteOpened } from './data-folder/open-files.ts';
import { createOwnerFile } from './data-folder/owner-file.ts';
import { readMarker } from './data-folder/store-marker.ts';
import { openSqlite, type SqliteOptions } from './dialect.ts';
import { firstComplaint } from './sqlite-file.ts';
import { faultOfErrno, faultOfSqlite } from './store-fault.ts';
import { refuseOtherStore } from './store-identity.ts';

/** A larger database is checked by the server after its start (`jobs/integrity-check.ts`), because every command would wait for it. */
export const CHECKED_AT_OPEN_BYTES = 64 * 1024 * 1024;

/**
 * Opens the database of a data folder that `checkDataFolder` has passed. Creates it where there is none.
 * @throws StoreFault, or AppError `busy`
 */
export async function openDatabaseFile(options: SqliteOptions): Promise<StoreConnection> {
  const { file } = options;
  const marker = readMarker(dirname(file));
  let connection: StoreConnection | null = null;
  try {
    await prepareFile(options, marker);
    connection = openTracked(options);
    await refuseOtherStore(connection.db, file, marker);
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
  // The database of another program must not even get another journal mode.
  const reader = openSqlite({ ...options, isReadOnly: true });
  try {
    await refuseOtherStore(reader.db, file, marker);
  } finally {
    await reader.close();
  }
}

function openTracked(options: SqliteOptions): StoreConnection {
  const connection = openSqlite(options);
  noteOpened(options.file);
  let isClosed = false;
  return {
    ...connection,
    async close() {
      await connection.close();
      if (!isClosed) noteClosed(options.file);
      isClosed = true;
    },
  };
}

async function checkAtOpen({ db, state }: StoreConnection): Promise<void> {
  const complaint = await firstComplaint(db);
  if (complaint !== null) throw state.reportDamage(complaint);
}
