import type { Db } from './connection.ts';
import type { WebSessionTable } from './session-tables.ts';

export async function insertWebSession(db: Db, row: WebSessionTable): Promise<void> {
  await db.insertInto('web_sessions').values(row).execute();
}

/** A session with the public id of its tenant; null for the operator's. */
export type OwnedWebSession = WebSessionTable & { tenant_id: string | null };

export async function findWebSession(db: Db, tokenHash: string): Promise<OwnedWebSession | null> {
  const row = await db
    .selectFrom('web_sessions')
    .leftJoin('tenants', 'tenants.tenant_no', 'web_sessions.tenant_no')
    .selectAll('web_sessions')
    .select('tenants.tenant_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

export async function recordWebSessionUse(db: Db, sessionId: string, at: number): Promise<void> {
  await db.updateTable('web_sessions').set({ seen_at: at }).where('session_id', '=', sessionId).execute();
}

export async function deleteWebSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('web_sessions').where('token_hash', '=', tokenHash).execute();
}

/** Deletes sessions that were opened, or last used, before these times. */
export async function deleteEndedWebSessions(db: Db, before: { createdAt: number; seenAt: number }): Promise<void> {
  await db
    .deleteFrom('web_sessions')
    .where((where) => where.or([where('created_at', '<=', before.createdAt), where('seen_at', '<=', before.seenAt)]))
    .execute();
}
