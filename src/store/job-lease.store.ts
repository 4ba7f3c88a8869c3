import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/** Statuses of a job that has not ended. */
export const OPEN_STATUSES = ['queued', 'processing'];

/** Tables of jobs that run under a lease: their state columns are the same, their id columns differ. */
const ID_COLUMNS = { import_jobs: 'import_job_id', operation_jobs: 'job_id' } as const;
export type JobTable = keyof typeof ID_COLUMNS;
export type JobRow<Table extends JobTable> = { [Column in keyof Database[Table]]: Database[Table][Column] };

export interface JobKey {
  tenantNo: number;
  id: string;
}

export interface JobLease {
  token: string;
  /** The process that takes the lease. */
  owner: string;
  now: number;
  until: number;
}

/** A statement is typed for one of the tables; the columns exist in all of them. */
function typed(table: JobTable) {
  return { table: table as 'operation_jobs', id: ID_COLUMNS[table] as 'job_id' };
}

/** Tenants with an open job without a lease, longest wait first. */
export async function tenantsWithOpenJobs(db: Db, jobs: JobTable, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom(typed(jobs).table)
    .select('tenant_no')
    .where('status', 'in', OPEN_STATUSES)
    .where('leased_until', '<=', now)
    .groupBy('tenant_no')
    .orderBy((order) => order.fn.min('created_at'))
    .execute();
  return rows.map((row) => row.tenant_no);
}

/**
 * Leases the oldest open job without a lease, of all, of one tenant, or the named one, until `until`. The previous holder can
 * no longer change it: its token no longer matches.
 */
export async function leaseJob<Table extends JobTable>(
  db: Db,
  jobs: Table,
  lease: JobLease,
  only: { tenantNo: number; id?: string } | null = null,
): Promise<JobRow<Table> | null> {
  const { table, id } = typed(jobs);
  const row = await db
    .updateTable(table)
    .set((update) => ({
      status: 'processing',
      lease_token: lease.token,
      leased_until: lease.until,
      lease_owner: lease.owner,
      started_at: update.fn.coalesce('started_at', update.val(lease.now)),
      updated_at: lease.now,
    }))
    .where((where) =>
      where(
        where.refTuple('tenant_no', id),
        'in',
        where
          .selectFrom(`${table} as due`)
          .select(['due.tenant_no', `due.${id}`])
          .where('due.status', 'in', OPEN_STATUSES)
          .where('due.leased_until', '<=', lease.now)
          .$if(only !== null, (query) => query.where('due.tenant_no', '=', only?.tenantNo as number))
          .$if(only?.id !== undefined, (query) => query.where(`due.${id}`, '=', only?.id as string))
          .orderBy('due.created_at')
          .limit(1)
          .$asTuple('tenant_no', id),
      ),
    )
    .where('leased_until', '<=', lease.now)
    .returningAll()
    .executeTakeFirst();
  return (row as unknown as JobRow<Table> | undefined) ?? null;
}

/** Changes a job that is still leased under this token. @returns false if it was cancelled or taken over */
export async function updateLeased<Table extends JobTable>(
  db: Db,
  jobs: Table,
  job: JobKey & { token: string | null },
  values: Partial<JobRow<Table>>,
): Promise<boolean> {
  const { table, id } = typed(jobs);
  const result = await db
    .updateTable(table)
    .set(values as object)
    .where('tenant_no', '=', job.tenantNo)
    .where(id, '=', job.id)
    .where('lease_token', '=', job.token)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends an open job. @returns false if it had already ended */
export async function cancelJob(db: Db, jobs: JobTable, job: JobKey, now: number): Promise<boolean> {
  const { table, id } = typed(jobs);
  const result = await db
    .updateTable(table)
    .set({
      status: 'cancelled',
      lease_token: null,
      lease_owner: null,
      leased_until: 0,
      finished_at: now,
      updated_at: now,
    })
    .where('tenant_no', '=', job.tenantNo)
    .where(id, '=', job.id)
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** When the next open job is free; null if none is open. */
export async function nextJobDue(db: Db, jobs: JobTable): Promise<number | null> {
  const row = await db
    .selectFrom(typed(jobs).table)
    .select('leased_until')
    .where('status', 'in', OPEN_STATUSES)
    .orderBy('leased_until')
    .limit(1)
    .executeTakeFirst();
  return row?.leased_until ?? null;
}
