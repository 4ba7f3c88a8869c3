import type { ImportErrorTable, ImportJobTable } from './background.schema.ts';
import type { Db } from './connection.ts';
import { OPEN_STATUSES } from './job-lease.store.ts';
import { inBatches } from './transaction.ts';

const ROWS_PER_STATEMENT = 100;

export async function insertImportJob(db: Db, row: ImportJobTable): Promise<void> {
  await db.insertInto('import_jobs').values(row).execute();
}

export async function readImportJob(db: Db, tenantNo: number, importJobId: string): Promise<ImportJobTable | null> {
  const row = await db
    .selectFrom('import_jobs')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('import_job_id', '=', importJobId)
    .executeTakeFirst();
  return row ?? null;
}

export interface ImportFilter {
  status: string | null;
  contentHash: string | null;
}

/** Newest first. */
export function listImportJobs(
  db: Db,
  tenantNo: number,
  filter: ImportFilter,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<ImportJobTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('created_at', 'desc').orderBy('import_job_id', 'desc');
  const { after } = range;
  if (after)
    query = query.where((where) =>
      where(where.refTuple('created_at', 'import_job_id'), '<', where.tuple(after.at, after.id)),
    );
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countImportJobs(db: Db, tenantNo: number, filter: ImportFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, { status, contentHash }: ImportFilter) {
  let query = db.selectFrom('import_jobs').where('tenant_no', '=', tenantNo);
  if (status !== null) query = query.where('status', '=', status);
  if (contentHash !== null) query = query.where('content_hash', '=', contentHash);
  return query;
}

/** Deletes the job and its results; the imported data stays. */
export async function deleteImportJob(db: Db, tenantNo: number, importJobId: string): Promise<void> {
  for (const table of ['import_errors', 'import_traces', 'import_jobs'] as const) {
    await db
      .deleteFrom(table as 'import_jobs')
      .where('tenant_no', '=', tenantNo)
      .where('import_job_id', '=', importJobId)
      .execute();
  }
}

/** Ids of all open jobs of all tenants. */
export async function openImportIds(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('import_jobs')
    .select('import_job_id')
    .where('status', 'in', OPEN_STATUSES)
    .execute();
  return new Set(rows.map((row) => row.import_job_id));
}

export async function addImportErrors(db: Db, rows: readonly ImportErrorTable[]): Promise<void> {
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) await db.insertInto('import_errors').values(slice).execute();
}

export async function addImportTraces(
  db: Db,
  tenantNo: number,
  importJobId: string,
  traceIds: readonly string[],
): Promise<void> {
  for (const slice of inBatches(traceIds, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('import_traces')
      .values(slice.map((traceId) => ({ tenant_no: tenantNo, import_job_id: importJobId, trace_id: traceId })))
      .onConflict((conflict) => conflict.columns(['tenant_no', 'import_job_id', 'trace_id']).doNothing())
      .execute();
  }
}

export interface ImportSlice {
  offset: number;
  limit: number;
}

export function listImportErrors(
  db: Db,
  tenantNo: number,
  importJobId: string,
  { offset, limit }: ImportSlice,
): Promise<ImportErrorTable[]> {
  return db
    .selectFrom('import_errors')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('import_job_id', '=', importJobId)
    .orderBy('sequence')
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function listImportTraces(
  db: Db,
  tenantNo: number,
  importJobId: string,
  { offset, limit }: ImportSlice,
): Promise<string[]> {
  const rows = await db
    .selectFrom('import_traces')
    .select('trace_id')
    .where('tenant_no', '=', tenantNo)
    .where('import_job_id', '=', importJobId)
    .orderBy('trace_id')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => row.trace_id);
}

export async function countImportTraces(db: Db, tenantNo: number, importJobId: string): Promise<number> {
  const row = await db
    .selectFrom('import_traces')
    .select((select) => select.fn.countAll().as('count'))
    .where('tenant_no', '=', tenantNo)
    .where('import_job_id', '=', importJobId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
