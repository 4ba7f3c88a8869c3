import type { Db } from './connection.ts';
import type { SignInLinkTable } from './session-tables.ts';

export async function insertSignInLink(db: Db, row: SignInLinkTable): Promise<void> {
  await db.insertInto('sign_in_links').values(row).execute();
}

/** Marks the link as used. @returns the link, and whether this is its first use; null for an unknown token */
export async function consumeSignInLink(
  db: Db,
  tokenHash: string,
  at: number,
): Promise<{ link: SignInLinkTable; isFirstUse: boolean } | null> {
  const marked = await db
    .updateTable('sign_in_links')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  const link = await db.selectFrom('sign_in_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  return link ? { link, isFirstUse: Number(marked.numUpdatedRows) === 1 } : null;
}

/** Deletes all links of a tenant except the `count` newest. */
export async function keepNewestSignInLinks(db: Db, tenantNo: number, count: number): Promise<void> {
  const older = db
    .selectFrom('sign_in_links')
    .select('token_hash')
    .where('tenant_no', '=', tenantNo)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(1_000_000)
    .offset(count);
  await db.deleteFrom('sign_in_links').where('token_hash', 'in', older).execute();
}
