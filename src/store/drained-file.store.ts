import type { Db } from './connection.ts';

/** Records that a spool file was ingested; returns false if it already was. */
export async function claimOnce(db: Db, name: string, now: number): Promise<boolean> {
  const result = await db
    .insertInto('drained_files')
    .values({ name, drained_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether the name was recorded. */
export async function isClaimed(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('drained_files').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}
