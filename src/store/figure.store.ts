import type { Db } from './connection.ts';
import type { FigureTable } from './figure-tables.ts';
import { isOpenAt } from './issue-state.store.ts';
import { inBatches } from './transaction.ts';

/** Tenant number of the instance; no tenant has this number. */
export const INSTANCE_NO = 0;

const ROWS_PER_STATEMENT = 200;

/** Adds to the figures of tenants and, by the same amounts, of the instance. Call it in the transaction of the counted change. */
export async function addFigures(db: Db, growth: readonly FigureTable[]): Promise<void> {
  const rows = sumByKey([...growth, ...growth.filter(isLasting).map((row) => ({ ...row, tenant_no: INSTANCE_NO }))]);
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('figures')
      .values(slice)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_no', 'name', 'label'])
          .doUpdateSet((update) => ({ value: update('figures.value', '+', update.ref('excluded.value')) })),
      )
      .execute();
  }
}

/** Daily trace counts are used for quotas, which the instance does not have. */
const isLasting = (row: FigureTable) => row.name !== DAY_TRACES;

/** Traces of one UTC day, which is the label. */
export const DAY_TRACES = 'day_traces';

/** One row per key, in a fixed order: two writers that lock rows cannot deadlock. */
function sumByKey(growth: readonly FigureTable[]): FigureTable[] {
  const sums = new Map<string, FigureTable>();
  for (const row of growth) {
    if (!(row.value > 0)) continue;
    const key = `${row.tenant_no} ${row.name} ${row.label}`;
    sums.set(key, { ...row, value: row.value + (sums.get(key)?.value ?? 0) });
  }
  return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Without the daily ones. */
export function readFigures(db: Db, tenantNo: number): Promise<FigureTable[]> {
  return db
    .selectFrom('figures')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('name', '!=', DAY_TRACES)
    .orderBy('name')
    .orderBy('label')
    .execute();
}

/** @param day UTC, `2026-01-31` */
export async function readDayTraces(db: Db, tenantNo: number, day: string): Promise<number> {
  const row = await db
    .selectFrom('figures')
    .select('value')
    .where('tenant_no', '=', tenantNo)
    .where('name', '=', DAY_TRACES)
    .where('label', '=', day)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Deletes a tenant's daily trace counts before `day`. */
export async function pruneDayTraces(db: Db, tenantNo: number, day: string): Promise<void> {
  await db
    .deleteFrom('figures')
    .where('tenant_no', '=', tenantNo)
    .where('name', '=', DAY_TRACES)
    .where('label', '<', day)
    .execute();
}

/** Open issues by severity; of all tenants for the instance. @param now Unix milliseconds */
export async function countOpenIssues(db: Db, tenantNo: number, now: number): Promise<Map<string, number>> {
  let query = db
    .selectFrom('issues')
    .select(['severity', (select) => select.fn.countAll().as('count')])
    .where(isOpenAt(now))
    .groupBy('severity');
  if (tenantNo !== INSTANCE_NO) query = query.where('tenant_no', '=', tenantNo);
  return new Map((await query.execute()).map((row) => [row.severity, Number(row.count)]));
}
