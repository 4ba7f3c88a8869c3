import type { Db } from './connection.ts';
import type { CalibrationSampleTable } from './schema.ts';
import { inBatches } from './transaction.ts';

const ROWS_PER_STATEMENT = 100;

/** If a trace is analyzed again, its scores are replaced and its position in time is kept. */
export async function saveSamples(db: Db, rows: readonly CalibrationSampleTable[]): Promise<void> {
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('calibration_samples')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'trace_id']).doUpdateSet((update) => ({
          framework: update.ref('excluded.framework'),
          signals: update.ref('excluded.signals'),
          risk_columns: update.ref('excluded.risk_columns'),
        })),
      )
      .execute();
  }
}

/** The number of samples per framework, largest first. */
export async function countSamples(db: Db, tenantNo: number): Promise<{ framework: string; count: number }[]> {
  const rows = await db
    .selectFrom('calibration_samples')
    .select(['framework', (select) => select.fn.countAll().as('count')])
    .where('tenant_no', '=', tenantNo)
    .groupBy('framework')
    .execute();
  return rows
    .map(({ framework, count }) => ({ framework, count: Number(count) }))
    .sort((one, other) => other.count - one.count || (one.framework < other.framework ? -1 : 1));
}

/** The newest samples of a framework, newest first. */
export function newestSamples(
  db: Db,
  tenantNo: number,
  framework: string,
  limit: number,
): Promise<CalibrationSampleTable[]> {
  return db
    .selectFrom('calibration_samples')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('framework', '=', framework)
    .orderBy('seen_at', 'desc')
    .orderBy('trace_id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes a framework's samples older than `oldest`; null deletes all of them. */
export async function dropSamples(
  db: Db,
  tenantNo: number,
  framework: string,
  oldest: { seenAt: number; traceId: string } | null,
): Promise<void> {
  let query = db.deleteFrom('calibration_samples').where('tenant_no', '=', tenantNo).where('framework', '=', framework);
  if (oldest !== null) {
    query = query.where((where) =>
      where(where.refTuple('seen_at', 'trace_id'), '<', where.tuple(oldest.seenAt, oldest.traceId)),
    );
  }
  await query.execute();
}

export async function dropAllSamples(db: Db, tenantNo: number): Promise<void> {
  await db.deleteFrom('calibration_samples').where('tenant_no', '=', tenantNo).execute();
}
