import type { OperationJobTable } from './background.schema.ts';
import type { Db } from './connection.ts';
import { OPEN_STATUSES } from './job-lease.store.ts';

export async function insertOperationJob(db: Db, row: OperationJobTable): Promise<void> {
  await db.insertInto('operation_jobs').values(row).execute();
}

export async function readOperationJob(db: Db, tenantNo: number, jobId: string): Promise<OperationJobTable | null> {
  const row = await db
    .selectFrom('operation_jobs')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export function listOperationJobs(
  db: Db,
  tenantNo: number,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<OperationJobTable[]> {
  let query = db
    .selectFrom('operation_jobs')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .orderBy('created_at', 'desc')
    .orderBy('job_id', 'desc');
  const { after } = range;
  if (after)
    query = query.where((where) => where(where.refTuple('created_at', 'job_id'), '<', where.tuple(after.at, after.id)));
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countOperationJobs(db: Db, tenantNo: number): Promise<number> {
  const row = await db
    .selectFrom('operation_jobs')
    .select((select) => select.fn.countAll().as('count'))
    .where('tenant_no', '=', tenantNo)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Whether the tenant has an open job of this kind. */
export async function hasOpenJob(db: Db, tenantNo: number, kind: string): Promise<boolean> {
  const row = await db
    .selectFrom('operation_jobs')
    .select('job_id')
    .where('tenant_no', '=', tenantNo)
    .where('kind', '=', kind)
    .where('status', 'in', OPEN_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOperationJob(db: Db, tenantNo: number, jobId: string): Promise<void> {
  await db.deleteFrom('operation_jobs').where('tenant_no', '=', tenantNo).where('job_id', '=', jobId).execute();
}
