import type { Db } from './connection.ts';
import type { JudgeAnswerTable, JudgeUsageTable } from './judge-tables.ts';

/**
 * Stored answers to these questions that are not older than `since`, newest first.
 * @param model only those of this model; null takes any
 */
export async function readJudgeAnswers(
  db: Db,
  tenantNo: number,
  wanted: { hashes: readonly string[]; model: string | null; since: number },
): Promise<JudgeAnswerTable[]> {
  if (wanted.hashes.length === 0) return [];
  let query = db
    .selectFrom('judge_answers')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('question_hash', 'in', wanted.hashes)
    .where('answered_at', '>=', wanted.since);
  if (wanted.model !== null) query = query.where('model', '=', wanted.model);
  return query.orderBy('answered_at', 'desc').execute();
}

export async function saveJudgeAnswer(db: Db, row: JudgeAnswerTable): Promise<void> {
  const { verdict, reason, answered_at } = row;
  await db
    .insertInto('judge_answers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_no', 'question_hash', 'model']).doUpdateSet({ verdict, reason, answered_at }),
    )
    .execute();
}

/** Removes a tenant's answers older than `before`, and the oldest of those beyond `keep`. */
export async function pruneJudgeAnswers(db: Db, tenantNo: number, before: number, keep: number): Promise<void> {
  const oldestKept = await db
    .selectFrom('judge_answers')
    .select('answered_at')
    .where('tenant_no', '=', tenantNo)
    .orderBy('answered_at', 'desc')
    .offset(keep - 1)
    .limit(1)
    .executeTakeFirst();
  await db
    .deleteFrom('judge_answers')
    .where('tenant_no', '=', tenantNo)
    .where('answered_at', '<', Math.max(before, oldestKept?.answered_at ?? 0))
    .execute();
}

export async function readJudgeUsage(db: Db, tenantNo: number, day: string): Promise<JudgeUsageTable | null> {
  const row = await db
    .selectFrom('judge_usage')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('day', '=', day)
    .executeTakeFirst();
  return row ?? null;
}

/** Counts one call if the day's budget allows it. @returns whether it does */
export async function reserveJudgeCall(
  db: Db,
  tenantNo: number,
  day: string,
  dayLimit: { calls: number; tokens: number },
): Promise<boolean> {
  await ensureDay(db, tenantNo, day);
  const [result] = await db
    .updateTable('judge_usage')
    .set((update) => ({ calls: update('calls', '+', 1) }))
    .where('tenant_no', '=', tenantNo)
    .where('day', '=', day)
    .where('calls', '<', dayLimit.calls)
    .where('tokens', '<', dayLimit.tokens)
    .execute();
  return result !== undefined && result.numUpdatedRows > 0n;
}

/** Adds to the day's counts; negative values return unused calls. */
export async function addJudgeUsage(
  db: Db,
  tenantNo: number,
  day: string,
  more: { calls?: number; tokens?: number; skipped?: number },
): Promise<void> {
  await ensureDay(db, tenantNo, day);
  await db
    .updateTable('judge_usage')
    .set((update) => ({
      calls: update('calls', '+', more.calls ?? 0),
      tokens: update('tokens', '+', more.tokens ?? 0),
      skipped: update('skipped', '+', more.skipped ?? 0),
    }))
    .where('tenant_no', '=', tenantNo)
    .where('day', '=', day)
    .execute();
}

/** Removes the counts of days before `day`. */
export async function pruneJudgeUsage(db: Db, tenantNo: number, day: string): Promise<void> {
  await db.deleteFrom('judge_usage').where('tenant_no', '=', tenantNo).where('day', '<', day).execute();
}

async function ensureDay(db: Db, tenantNo: number, day: string): Promise<void> {
  await db
    .insertInto('judge_usage')
    .values({ tenant_no: tenantNo, day, calls: 0, tokens: 0, skipped: 0 })
    .onConflict((conflict) => conflict.columns(['tenant_no', 'day']).doNothing())
    .execute();
}
