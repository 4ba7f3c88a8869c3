import type { Kysely } from 'kysely';
import type { StoreConnection } from './connection.ts';
import { readInstanceValue, readOrCreateInstanceValue } from './instance.store.ts';
import type { Database } from './schema.ts';
import { markApplication, tableNames } from './sqlite-file.ts';
import { StoreFault } from './store-fault.ts';

const VALUE = 'store_id';

/**
 * Rejects a database that is not the store of this folder. Read-only.
 * @param marker id in the folder's marker; null if it has none
 * @throws StoreFault
 */
export async function assertSameStore(db: Kysely<Database>, file: string, marker: string | null): Promise<void> {
  const tables = await tableNames(db);
  if (tables.length === 0) {
    if (marker !== null) throw new StoreFault('emptied', file);
    return;
  }
  if (!tables.includes('schema_migrations')) throw new StoreFault('foreign_database', file);
  const inside = tables.includes('instance') ? await readInstanceValue(db, VALUE) : null;
  if (marker !== null && inside !== null && inside !== marker) throw new StoreFault('other_store', file);
}

/**
 * Gives database and folder the same id. A database without one (an older store, or a copy of one) takes that of the marker.
 * @param create a new id
 * @param writeMarker called if the folder has no marker yet
 */
export async function ensureStoreId(
  { db, space }: StoreConnection,
  marker: string | null,
  create: () => string,
  writeMarker: (storeId: string) => void,
): Promise<string> {
  const known = await readInstanceValue(db, VALUE);
  const storeId = known ?? (await readOrCreateInstanceValue(db, VALUE, () => marker ?? create()));
  await markApplication(db);
  if (marker !== null) return storeId;
  // The marker must not outlive a database that is lost in a power failure.
  space.checkpoint(true);
  writeMarker(storeId);
  return storeId;
}
