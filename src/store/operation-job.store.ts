import type { OperationJobTable } from './background.schema.ts';
import type { Db } from './connection.ts';

const OPEN = ['queued', 'processing'];

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
    .where('status', 'in', OPEN)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the oldest open job that nobody works on, until `until`; whoever had it before can change it no more. */
export async function leaseOperationJob(
  db: Db,
  lease: { token: string; now: number; until: number },
): Promise<OperationJobTable | null> {
  const row = await db
    .updateTable('operation_jobs')
    .set((update) => ({
      status: 'processing',
      lease_token: lease.token,
      leased_until: lease.until,
      started_at: update.fn.coalesce('started_at', update.val(lease.now)),
      updated_at: lease.now,
    }))
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'job_id'),
        'in',
        where
          .selectFrom('operation_jobs as due')
          .select(['due.tenant_no', 'due.job_id'])
          .where('due.status', 'in', OPEN)
          .where('due.leased_until', '<=', lease.now)
          .orderBy('due.created_at')
          .limit(1)
          .$asTuple('tenant_no', 'job_id'),
      ),
    )
    .where('leased_until', '<=', lease.now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false where the job was cancelled or taken over */
export async function updateLeasedJob(
  db: Db,
  job: Pick<OperationJobTable, 'tenant_no' | 'job_id' | 'lease_token'>,
  values: Partial<OperationJobTable>,
): Promise<boolean> {
  const result = await db
    .updateTable('operation_jobs')
    .set(values)
    .where('tenant_no', '=', job.tenant_no)
    .where('job_id', '=', job.job_id)
    .where('lease_token', '=', job.lease_token)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends an open job. @returns false where it had ended already */
export async function cancelOperationJob(db: Db, tenantNo: number, jobId: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('operation_jobs')
    .set({ status: 'cancelled', lease_token: null, leased_until: 0, finished_at: now, updated_at: now })
    .where('tenant_no', '=', tenantNo)
    .where('job_id', '=', jobId)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteOperationJob(db: Db, tenantNo: number, jobId: string): Promise<void> {
  await db.deleteFrom('operation_jobs').where('tenant_no', '=', tenantNo).where('job_id', '=', jobId).execute();
}

/** When the next open job is free; null where none is open. */
export async function nextOperationJobDue(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('operation_jobs')
    .select('leased_until')
    .where('status', 'in', OPEN)
    .orderBy('leased_until')
    .limit(1)
    .executeTakeFirst();
  return row?.leased_until ?? null;
}
