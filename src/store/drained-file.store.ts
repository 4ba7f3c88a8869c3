import type { Db } from './connection.ts';

/** Notes that a spool file's content is in; false where it already was. */
export async function claimOnce(db: Db, name: string, now: number): Promise<boolean> {
  const result = await db
    .insertInto('drained_files')
    .values({ name, drained_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether that name was claimed. */
export async function isClaimed(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('drained_files').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}
