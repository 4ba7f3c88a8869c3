import { type ExpressionBuilder, sql } from 'kysely';
import { BulkStatement } from './bulk-statement.ts';
import type { Db } from './connection.ts';
import type { JobTable } from './job-tables.ts';
import type { Database } from './schema.ts';

export interface Job {
  tenantNo: number;
  kind: string;
  /** The subject of the job, e.g. a trace id; one job per key. */
  key: string;
  /** Unix milliseconds. */
  runAt: number;
  /** Imported, fetched or analyzed again: lower priority than live work. Omitted: live. */
  isHistory?: boolean;
}

export interface LeasedJob extends Job {
  attempts: number;
}

/** 0 is leased first. */
export const JOB_PRIORITIES = { live: 0, history: 1 } as const;

export interface LeaseRequest {
  kind: string;
  now: number;
  leaseMs: number;
  limit: number;
  /** The process that takes the lease. */
  owner: string;
  /** Only jobs of this tenant. */
  tenantNo?: number;
  /** Only jobs of this priority. */
  priority?: number;
  /** Which due jobs are leased first, by due time. Omitted: the oldest. */
  first?: 'oldest' | 'newest';
}

const RELEASED = { leased_until: 0, lease_owner: null };

function newRow({ tenantNo, kind, key, runAt, isHistory }: Job): JobTable {
  const priority = isHistory ? JOB_PRIORITIES.history : JOB_PRIORITIES.live;
  return {
    tenant_no: tenantNo,
    kind,
    key,
    run_at: runAt,
    priority,
    attempts: 0,
    leased_until: 0,
    lease_owner: null,
    last_error: null,
  };
}

/** A job that is scheduled both live and as history is live. */
function higherPriority(update: ExpressionBuilder<Database & { excluded: JobTable }, 'jobs' | 'excluded'>) {
  return update
    .case()
    .when('excluded.priority', '<', update.ref('jobs.priority'))
    .then(update.ref('excluded.priority'))
    .else(update.ref('jobs.priority'))
    .end();
}

const COLUMNS: readonly (keyof JobTable)[] = [
  'tenant_no',
  'kind',
  'key',
  'run_at',
  'priority',
  'attempts',
  'leased_until',
  'lease_owner',
  'last_error',
];

const SCHEDULE = new BulkStatement<JobTable>({
  columns: COLUMNS,
  build: (db, rows) =>
    db
      .insertInto('jobs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'kind', 'key']).doUpdateSet({
          run_at: (update) => update.ref('excluded.run_at'),
          priority: (update) => higherPriority(update),
          attempts: 0,
        }),
      )
      .compile(),
});

/** Schedules jobs; a queued one is moved to the new time. */
export async function scheduleJobs(db: Db, jobs: readonly Job[]): Promise<void> {
  await SCHEDULE.run(db, jobs.map(newRow));
}

const SCHEDULE_SOONEST = new BulkStatement<JobTable>({
  columns: COLUMNS,
  build: (db, rows) =>
    db
      .insertInto('jobs')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'kind', 'key']).doUpdateSet((update) => {
          // A running job has already read its data: later data needs another run.
          const isWaiting = update('jobs.attempts', '=', 0);
          const isSooner = update('jobs.run_at', '<', update.ref('excluded.run_at'));
          return {
            run_at: update
              .case()
              .when(update.and([isWaiting, isSooner]))
              .then(update.ref('jobs.run_at'))
              .else(update.ref('excluded.run_at'))
              .end(),
            priority: higherPriority(update),
            attempts: 0,
          };
        }),
      )
      .compile(),
});

/** Schedules jobs; a queued one keeps the earlier time, so that a stream of events cannot postpone it forever. */
export async function scheduleSoonest(db: Db, jobs: readonly Job[]): Promise<void> {
  await SCHEDULE_SOONEST.run(db, jobs.map(newRow));
}

/** Schedules jobs that may already be queued; a queued one keeps its time. */
export async function scheduleOnce(db: Db, job: Job): Promise<void> {
  await db
    .insertInto('jobs')
    .values(newRow(job))
    .onConflict((conflict) => conflict.columns(['tenant_no', 'kind', 'key']).doNothing())
    .execute();
}

/**
 * Leases up to `limit` due jobs for `leaseMs`. If the process ends, its leases are released (see
 * `lease-owner.store.ts`). One statement, so that two processes never lease the same job.
 * @returns the leased jobs, the oldest first
 */
export async function leaseJobs(
  db: Db,
  { kind, now, leaseMs, limit, owner, tenantNo, priority, first = 'oldest' }: LeaseRequest,
): Promise<LeasedJob[]> {
  const rows = await db
    .updateTable('jobs')
    .set((update) => ({ leased_until: now + leaseMs, lease_owner: owner, attempts: update('attempts', '+', 1) }))
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'kind', 'key'),
        'in',
        where
          .selectFrom('jobs as due')
          .select(['due.tenant_no', 'due.kind', 'due.key'])
          .where('due.kind', '=', kind)
          .where('due.run_at', '<=', now)
          .where('due.leased_until', '<=', now)
          .$if(tenantNo !== undefined, (query) => query.where('due.tenant_no', '=', tenantNo as number))
          .$if(priority !== undefined, (query) => query.where('due.priority', '=', priority as number))
          .orderBy('due.run_at', first === 'oldest' ? 'asc' : 'desc')
          .limit(limit)
          .$asTuple('tenant_no', 'kind', 'key'),
      ),
    )
    // Re-check the lease in the UPDATE: another writer may have taken the row since the SELECT.
    .where('leased_until', '<=', now)
    .returning(['tenant_no', 'kind', 'key', 'run_at', 'attempts', 'priority'])
    .execute();
  const jobs = rows.map((row) => ({
    tenantNo: row.tenant_no,
    kind: row.kind,
    key: row.key,
    runAt: row.run_at,
    attempts: row.attempts,
    isHistory: row.priority === JOB_PRIORITIES.history,
  }));
  return jobs.sort((one, other) => one.runAt - other.runAt);
}

/** Tenants with a due job of this kind and priority. Reads a few rows of each tenant, however many jobs it has. */
export async function tenantsWithDueJobs(
  db: Db,
  { kind, priority, now }: { kind: string; priority: number; now: number },
): Promise<number[]> {
  const { rows } = await sql<{ tenant_no: number }>`
    with recursive waiting(tenant_no) as (
      select min(tenant_no) from jobs where kind = ${kind} and priority = ${priority}
      union all
      select (select min(tenant_no) from jobs
        where kind = ${kind} and priority = ${priority} and tenant_no > waiting.tenant_no)
      from waiting where waiting.tenant_no is not null
    )
    select tenant_no from waiting where tenant_no is not null and exists (
      select 1 from jobs where kind = ${kind} and priority = ${priority} and jobs.tenant_no = waiting.tenant_no
        and run_at <= ${now} and leased_until <= ${now}
    )`.execute(db);
  return rows.map((row) => row.tenant_no);
}

/** Extends the lease of jobs. */
export async function renewJobs(db: Db, jobs: readonly LeasedJob[], owner: string, until: number): Promise<void> {
  for (const { tenantNo, kind, key } of jobs)
    await ofJob(db.updateTable('jobs').set({ leased_until: until }), { tenant_no: tenantNo, kind, key })
      .where('lease_owner', '=', owner)
      .where('leased_until', '>', 0)
      .execute();
}

/**
 * Deletes finished jobs of one kind that were leased together. A job that was rescheduled in the meantime is due later
 * than any of them or, within the same millisecond, recognized by its attempts: it is kept and becomes free.
 */
export async function finishJobs(db: Db, jobs: readonly LeasedJob[]): Promise<void> {
  for (const [tenantNo, group] of Map.groupBy(jobs, (job) => job.tenantNo)) {
    const keys = group.map((job) => job.key);
    const kind = group[0]?.kind ?? '';
    const newest = Math.max(...group.map((job) => job.runAt));
    await db
      .deleteFrom('jobs')
      .where('tenant_no', '=', tenantNo)
      .where('kind', '=', kind)
      .where('key', 'in', keys)
      .where('run_at', '<=', newest)
      .where('attempts', '>', 0)
      .execute();
    await db
      .updateTable('jobs')
      .set(RELEASED)
      .where('tenant_no', '=', tenantNo)
      .where('kind', '=', kind)
      .where('key', 'in', keys)
      .execute();
  }
}

/** Reschedules a failed job at `retryAt`; an uncounted attempt was not the job's fault. */
export async function failJob(
  db: Db,
  job: LeasedJob,
  failure: { error: string; retryAt: number; isCounted: boolean },
): Promise<void> {
  const row = { tenant_no: job.tenantNo, kind: job.kind, key: job.key };
  const attempts = failure.isCounted ? job.attempts : job.attempts - 1;
  const columns = { ...RELEASED, last_error: failure.error, run_at: failure.retryAt, attempts };
  await ofJob(db.updateTable('jobs').set(columns), row).where('run_at', '=', job.runAt).execute();
  await ofJob(db.updateTable('jobs').set(RELEASED), row).execute();
}

/** When the next free job of a kind is due; null if none is queued or all are leased. */
export async function nextRunAt(db: Db, kind: string, now: number): Promise<number | null> {
  const row = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('kind', '=', kind)
    .where('leased_until', '<=', now)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.run_at ?? null;
}

/** A tenant's jobs of a kind, latest due time first. */
export function listJobs(
  db: Db,
  { tenantNo, kind }: { tenantNo: number; kind: string },
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<{ key: string; run_at: number; attempts: number; last_error: string | null }[]> {
  const { after } = range;
  let query = db
    .selectFrom('jobs')
    .select(['key', 'run_at', 'attempts', 'last_error'])
    .where('tenant_no', '=', tenantNo)
    .where('kind', '=', kind)
    .orderBy('run_at', 'desc')
    .orderBy('key', 'desc');
  if (after)
    query = query.where((where) => where(where.refTuple('run_at', 'key'), '<', where.tuple(after.at, after.id)));
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countTenantJobs(db: Db, tenantNo: number, kind: string): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((select) => select.fn.countAll().as('count'))
    .where('tenant_no', '=', tenantNo)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function countJobs(db: Db, kind: string): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((select) => select.fn.countAll().as('count'))
    .where('kind', '=', kind)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Makes all free jobs of a kind due now, for one-shot commands that do not wait. */
export async function makeDue(db: Db, kind: string, tenantNo: number, now: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ run_at: now })
    .where('kind', '=', kind)
    .where('tenant_no', '=', tenantNo)
    .where('run_at', '>', now)
    .execute();
}

type JobKey = { tenant_no: number; kind: string; key: string };

function ofJob<Query extends { where(column: never, operator: never, value: never): Query }>(
  query: Query,
  job: JobKey,
): Query {
  return query
    .where('tenant_no' as never, '=' as never, job.tenant_no as never)
    .where('kind' as never, '=' as never, job.kind as never)
    .where('key' as never, '=' as never, job.key as never);
}
