import type { Db } from './connection.ts';

/** Records that the trace will not be analyzed again automatically. */
export async function markAnalysisFailed(
  db: Db,
  { tenantNo, traceId }: { tenantNo: number; traceId: string },
  reason: string,
  now: number,
): Promise<void> {
  await db
    .updateTable('traces')
    .set({ given_up_reason: reason, given_up_at: now })
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .execute();
}

export async function countFailedAnalyses(db: Db): Promise<number> {
  const row = await db
    .selectFrom('traces')
    .select((select) => select.fn.countAll().as('count'))
    .where('given_up_at', 'is not', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function failedAnalysisTraceIds(db: Db, tenantNo: number): Promise<string[]> {
  const rows = await db
    .selectFrom('traces')
    .select('trace_id')
    .where('tenant_no', '=', tenantNo)
    .where('given_up_at', 'is not', null)
    .execute();
  return rows.map((row) => row.trace_id);
}

export async function clearFailedAnalyses(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  await db
    .updateTable('traces')
    .set({ given_up_reason: null, given_up_at: null })
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
}
