import type { Db } from './connection.ts';

export async function readInstanceValue(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeInstanceValue(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** A value that is created once per store, e.g. the salt of redaction markers. An existing one is only read: the folder may be read-only. */
export async function readOrCreateInstanceValue(db: Db, name: string, create: () => string): Promise<string> {
  const existing = await readInstanceValue(db, name);
  if (existing !== null) return existing;
  await db
    .insertInto('instance')
    .values({ name, value: create() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Another process may have created it first.
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
