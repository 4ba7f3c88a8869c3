import type { Db } from './connection.ts';
import { deleteImportJob } from './import.store.ts';

/** Deletes a batch of rows older than `before`. @returns how many, fewer than `limit` at the end */
export type PruneHistory = (db: Db, before: number, limit: number) => Promise<number>;

export const pruneAuditLog: PruneHistory = async (db, before, limit) => {
  const old = await db
    .selectFrom('audit_log')
    .select(['tenant_no', 'audit_id'])
    .where('at', '<', before)
    .limit(limit)
    .execute();
  for (const { tenant_no, audit_id } of old)
    await db.deleteFrom('audit_log').where('tenant_no', '=', tenant_no).where('audit_id', '=', audit_id).execute();
  return old.length;
};

/** Finished deletion jobs. */
export const pruneOperationJobs: PruneHistory = async (db, before, limit) => {
  const old = await db
    .selectFrom('operation_jobs')
    .select(['tenant_no', 'job_id'])
    .where('finished_at', '<', before)
    .limit(limit)
    .execute();
  for (const { tenant_no, job_id } of old)
    await db.deleteFrom('operation_jobs').where('tenant_no', '=', tenant_no).where('job_id', '=', job_id).execute();
  return old.length;
};

/** Finished import jobs; the imported data stays. */
export const pruneImportJobs: PruneHistory = async (db, before, limit) => {
  const old = await db
    .selectFrom('import_jobs')
    .select(['tenant_no', 'import_job_id'])
    .where('finished_at', '<', before)
    .limit(limit)
    .execute();
  for (const { tenant_no, import_job_id } of old) await deleteImportJob(db, tenant_no, import_job_id);
  return old.length;
};

/** Names of ingested spool files. */
export const pruneDrainedFiles: PruneHistory = async (db, before, limit) => {
  const old = await db
    .selectFrom('drained_files')
    .select('name')
    .where('drained_at', '<', before)
    .limit(limit)
    .execute();
  for (const { name } of old) await db.deleteFrom('drained_files').where('name', '=', name).execute();
  return old.length;
};
