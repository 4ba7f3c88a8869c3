import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { truncate } from '../../core/bounded-errors.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Json } from '../../core/json.ts';
import { knownFormats } from '../../formats/detect/known-formats.ts';
import type { ImportJobTable } from '../../store/background.schema.ts';
import { listImportErrors, openImportIds, readImportJob } from '../../store/import.store.ts';
import {
  type JobKey,
  leaseJob,
  nextJobDue,
  OPEN_STATUSES,
  tenantsWithOpenJobs,
  updateLeased,
} from '../../store/job-lease.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { JobSlices, Slice } from '../_kit/job-slices.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import type { JobStatus } from './import.record.ts';
import type { ImportFolder } from './import-folder.ts';
import { runImport } from './run-import.ts';

/** The lease of a worker that died expires after this time; every commit renews it. */
const LEASE_MS = 5_000;
/** The store rejected the data for now. */
const RETRY_MS = 1_000;
const MAX_FAILURE_LENGTH = 2_000;

export interface ImportWorkerOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  leases: Pick<LeaseManager, 'owner'>;
  redactText(text: string): string;
  applySetting(tenantId: string, setting: { name: string; value: Json }): Promise<string | null>;
  onProblem(subject: string, problem: string): void;
  /** Called after the commit. */
  onChanged?(row: ImportJobTable, how?: { isNew?: boolean }): void;
}

/** Runs import jobs; tenants take turns. */
export class ImportWorker {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #folder: ImportFolder;
  readonly #options: ImportWorkerOptions;
  readonly #onChanged: NonNullable<ImportWorkerOptions['onChanged']>;
  readonly #slices = new JobSlices();
  #isClosing = false;
  #hasSwept = false;

  constructor(folder: ImportFolder, options: ImportWorkerOptions) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#folder = folder;
    this.#options = options;
    this.#onChanged = options.onChanged ?? (() => {});
  }

  async runDue(limit: number): Promise<number> {
    await this.#sweepOnce();
    for (let done = 0; done < limit; done += 1) {
      const job = this.#isClosing ? null : await this.#lease(null);
      if (job === null) return done;
      await this.#slices.during(job.tenant_no, this.#clock.now, () => this.#work(job));
    }
    return limit;
  }

  async runNow(key: JobKey): Promise<boolean> {
    const job = await this.#lease(key);
    if (job !== null) await this.#work(job);
    return job !== null;
  }

  nextDueAt(): Promise<number | null> {
    return nextJobDue(this.#db, 'import_jobs');
  }

  close(): void {
    this.#isClosing = true;
  }

  async #lease(only: JobKey | null): Promise<ImportJobTable | null> {
    const now = this.#clock.now();
    const owner = await this.#options.leases.owner();
    const lease = { token: newId('run', this.#clock, this.#random), owner, now, until: now + LEASE_MS };
    return inTransaction(this.#db, (transaction) =>
      only === null
        ? this.#slices.lease(transaction, 'import_jobs', lease)
        : leaseJob(transaction, 'import_jobs', lease, only),
    );
  }

  async #isAnotherTenantWaiting(tenantNo: number): Promise<boolean> {
    const tenants = await tenantsWithOpenJobs(this.#db, 'import_jobs', this.#clock.now());
    return tenants.some((other) => other !== tenantNo);
  }

  async #work(job: ImportJobTable): Promise<void> {
    const slice = new Slice(() => this.#isAnotherTenantWaiting(job.tenant_no));
    try {
      const end = await runImport(job, {
        db: this.#db,
        ingest: this.#options.ingest,
        clock: this.#clock,
        tenantId: await tenantIdOf(this.#db, job.tenant_no),
        path: job.source_file ?? this.#folder.fileOf(job.import_job_id),
        leaseMs: LEASE_MS,
        redactText: this.#options.redactText,
        applySetting: this.#options.applySetting,
        onProgress: this.#onChanged,
        shouldStop: async () => this.#isClosing || (await slice.isTimeUp()),
      });
      if (end === 'ended') await this.#finish(job, null);
      else if (end === 'stopped') await this.#releaseJob(job, 0);
      else await this.#forgetFile(job);
    } catch (error) {
      await this.#recover(job, error);
    }
  }

  /** A finished job no longer needs its upload; a job that another process took over does. */
  async #forgetFile(job: ImportJobTable): Promise<void> {
    const now = await readImportJob(this.#db, job.tenant_no, job.import_job_id);
    if (now === null || !OPEN_STATUSES.includes(now.status)) await this.#folder.remove(job.import_job_id);
  }

  async #recover(job: ImportJobTable, error: unknown): Promise<void> {
    const isRefusedForNow =
      error instanceof AppError && (error.code === 'backpressure' || error.code === 'unavailable');
    if (isRefusedForNow || isTransient(error)) return this.#releaseJob(job, this.#clock.now() + RETRY_MS);
    if (error instanceof AppError) return this.#finish(job, truncate(error.message, MAX_FAILURE_LENGTH));
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return this.#finish(job, 'The file no longer exists.');
    this.#options.onProblem(job.import_job_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
    return this.#finish(job, 'The import failed because of an internal error.');
  }

  async #releaseJob(job: ImportJobTable, until: number): Promise<void> {
    await this.#update(job, { leased_until: until, updated_at: this.#clock.now() });
  }

  async #finish(job: ImportJobTable, failure: string | null): Promise<void> {
    const row = await readImportJob(this.#db, job.tenant_no, job.import_job_id);
    if (row === null) return this.#folder.remove(job.import_job_id);
    const [first] = await listImportErrors(this.#db, job.tenant_no, job.import_job_id, { offset: 0, limit: 1 });
    const reason = failure ?? reasonForNoSpans(row, first?.message ?? null);
    const status: JobStatus = reason !== null ? 'failed' : row.error_count > 0 ? 'completed_with_errors' : 'completed';
    const now = this.#clock.now();
    const ended = { status, failure: reason, finished_at: now, updated_at: now, leased_until: 0 };
    const done = reason === null ? { bytes_done: row.bytes_total } : {};
    if (await this.#update(job, { ...ended, ...done })) this.#onChanged({ ...row, ...ended, ...done });
    await this.#forgetFile(job);
  }

  #update(job: ImportJobTable, values: Partial<ImportJobTable>): Promise<boolean> {
    const key = { tenantNo: job.tenant_no, id: job.import_job_id, token: job.lease_token };
    return updateLeased(this.#db, 'import_jobs', key, values);
  }

  async #sweepOnce(): Promise<void> {
    if (this.#hasSwept) return;
    this.#hasSwept = true;
    await this.#folder.sweep(await openImportIds(this.#db), Date.now());
  }
}

/** Why a file that was read to its end counts as failed; null if it does not. */
function reasonForNoSpans(row: ImportJobTable, firstError: string | null): string | null {
  if (row.records_done === 0) return 'The file holds no records.';
  if (row.spans_accepted > 0 || row.records_failed < row.records_done) return null;
  const known = row.formats === '[]' ? ` ${knownFormats()}` : '';
  return `Nothing in the file could be imported: ${firstError ?? 'it holds no spans'}${known}`;
}
