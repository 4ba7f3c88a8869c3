import type { Db } from './connection.ts';
import type { SigningKeyTable } from './schema.ts';

export async function insertSigningKey(db: Db, row: SigningKeyTable): Promise<void> {
  await db.insertInto('signing_keys').values(row).execute();
}

/** Newest first. */
export function listSigningKeys(db: Db): Promise<SigningKeyTable[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('kid', 'desc').execute();
}

export async function writeSigningSecret(db: Db, kid: string, secret: string): Promise<void> {
  await db.updateTable('signing_keys').set({ secret }).where('kid', '=', kid).execute();
}

/** Retires every key that still signs. */
export async function retireSigningKeys(db: Db, at: number): Promise<void> {
  await db.updateTable('signing_keys').set({ retired_at: at }).where('retired_at', 'is', null).execute();
}

export async function deleteSigningKeysRetiredBefore(db: Db, at: number): Promise<void> {
  await db.deleteFrom('signing_keys').where('retired_at', '<', at).execute();
}
