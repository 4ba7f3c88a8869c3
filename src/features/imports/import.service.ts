import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { shortened } from '../../core/bounded-errors.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Json } from '../../core/json.ts';
import { knownFormats } from '../../formats/detect/known-formats.ts';
import type { ImportJobTable } from '../../store/background.schema.ts';
import {
  countImportJobs,
  countImportTraces,
  deleteImportJob,
  type ImportFilter,
  insertImportJob,
  listImportErrors,
  listImportJobs,
  listImportTraces,
  openImportIds,
  readImportJob,
} from '../../store/import.store.ts';
import {
  cancelJob,
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
import { toPage, toRange } from '../_kit/cursor.ts';
import { JobSlices, Slice } from '../_kit/job-slices.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import {
  type ImportRecord,
  type ImportResultsRecord,
  type JobStatus,
  toImportErrorRecord,
  toImportRecord,
} from './import.record.ts';
import { createImportFolder, describeFile, type ReceivedFile, type UploadGuard } from './import-folder.ts';
import { runImport } from './run-import.ts';

export interface ImportRequest {
  fileName: string;
  /** The only format it is to be read as; null: told by the content. */
  format: string | null;
  /** What is found in it alerts people, as if it came live. */
  isAlerting: boolean;
}

export interface ImportService {
  /** Takes an upload to the disk as it comes. @throws AppError `payload_too_large` */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  discard(file: ReceivedFile): Promise<void>;
  /** Makes a job of a received file. */
  add(tenantId: string, file: ReceivedFile, request: ImportRequest): Promise<ImportRecord>;
  /** Makes a job of a file that stays where it is, or finds the one that was made of it before. */
  addLocal(tenantId: string, path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }>;
  /** Newest first. */
  list(tenantId: string, filter: ImportFilter, page: PageRequest): Promise<Page<ImportRecord>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, importJobId: string): Promise<ImportRecord>;
  results(tenantId: string, importJobId: string, page: PageRequest): Promise<ImportResultsRecord>;
  /** Cancels an open job, forgets one that is over; what it took in stays. @throws AppError `not_found` */
  remove(tenantId: string, importJobId: string): Promise<void>;
  /** Works on jobs that nobody works on. @returns how many */
  runDue(limit: number): Promise<number>;
  /** Works on this job now, unless somebody else does. @returns whether it was done */
  runNow(tenantId: string, importJobId: string): Promise<boolean>;
  /** Unix milliseconds; null where nothing waits. */
  nextDueAt(): Promise<number | null>;
  /** Lets go of the job in work after its commit; a later run goes on there. */
  close(): void;
}

/** A worker that dies lets go of its job after this; it is renewed with every commit. */
const LEASE_MS = 5_000;
/** The store could not take more just now. */
const RETRY_MS = 1_000;
const MAX_FAILURE_LENGTH = 2_000;

export function createImportService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  leases: Pick<LeaseKeeper, 'owner'>;
  folder: string;
  guard: UploadGuard;
  redactText(text: string): string;
  applySetting(tenantId: string, setting: { name: string; value: Json }): Promise<string | null>;
  tenantNoOf(tenantId: string): Promise<number>;
  onProblem(subject: string, problem: string): void;
  /** Called after the commit. */
  onChanged?(row: ImportJobTable, how?: { isNew?: boolean }): void;
}): ImportService {
  const { db, clock, random, tenantNoOf, onChanged = () => {} } = options;
  const folder = createImportFolder(options.folder, options.guard);
  const slices = new JobSlices();
  let isClosing = false;
  let hasSwept = false;

  async function load(tenantId: string, importJobId: string): Promise<ImportJobTable> {
    const row = await readImportJob(db, await tenantNoOf(tenantId), importJobId);
    if (row === null) throw new AppError('not_found', `There is no import job ${importJobId}.`);
    return row;
  }

  function newJob(tenantNo: number, importJobId: string, request: ImportRequest, file: FileFacts): ImportJobTable {
    const now = clock.now();
    return {
      tenant_no: tenantNo,
      import_job_id: importJobId,
      status: 'queued',
      file_name: options.redactText(request.fileName),
      source_file: file.sourceFile,
      content_hash: file.contentHash,
      format: request.format,
      formats: '[]',
      is_alerting: request.isAlerting ? 1 : 0,
      bytes_total: file.bytes,
      bytes_done: 0,
      position_offset: 0,
      position_line: 1,
      records_done: 0,
      records_failed: 0,
      spans_accepted: 0,
      spans_rejected: 0,
      error_count: 0,
      failure: null,
      work_ms: 0,
      lease_token: null,
      leased_until: 0,
      lease_owner: null,
      created_at: now,
      started_at: null,
      finished_at: null,
      updated_at: now,
    };
  }

  async function lease(only: JobKey | null): Promise<ImportJobTable | null> {
    const now = clock.now();
    const owner = await options.leases.owner();
    const lease = { token: newId('run', clock, random), owner, now, until: now + LEASE_MS };
    return inTransaction(db, (transaction) =>
      only === null
        ? slices.lease(transaction, 'import_jobs', lease)
        : leaseJob(transaction, 'import_jobs', lease, only),
    );
  }

  async function isAnotherTenantWaiting(tenantNo: number): Promise<boolean> {
    const tenants = await tenantsWithOpenJobs(db, 'import_jobs', clock.now());
    return tenants.some((other) => other !== tenantNo);
  }

  async function work(job: ImportJobTable): Promise<void> {
    const slice = new Slice(() => isAnotherTenantWaiting(job.tenant_no));
    try {
      const end = await runImport(job, {
        db,
        ingest: options.ingest,
        clock,
        tenantId: await tenantIdOf(db, job.tenant_no),
        path: job.source_file ?? folder.fileOf(job.import_job_id),
        leaseMs: LEASE_MS,
        redactText: options.redactText,
        applySetting: options.applySetting,
        onProgress: onChanged,
        shouldStop: async () => isClosing || (await slice.isOver()),
      });
      if (end === 'ended') await finish(job, null);
      else if (end === 'stopped') await letGo(job, 0);
      else await forgetFile(job);
    } catch (error) {
      await recover(job, error);
    }
  }

  /** A job that is over needs its upload no more; one that another process has taken over does. */
  async function forgetFile(job: ImportJobTable): Promise<void> {
    const now = await readImportJob(db, job.tenant_no, job.import_job_id);
    if (now === null || !OPEN_STATUSES.includes(now.status)) await folder.remove(job.import_job_id);
  }

  async function recover(job: ImportJobTable, error: unknown): Promise<void> {
    const isRefusedForNow =
      error instanceof AppError && (error.code === 'backpressure' || error.code === 'unavailable');
    if (isRefusedForNow || isTransient(error)) return letGo(job, clock.now() + RETRY_MS);
    if (error instanceof AppError) return finish(job, shortened(error.message, MAX_FAILURE_LENGTH));
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return finish(job, 'The file is no longer there.');
    options.onProblem(job.import_job_id, error instanceof Error ? (error.stack ?? error.message) : String(error));
    return finish(job, 'The import failed by a fault of the service.');
  }

  async function letGo(job: ImportJobTable, until: number): Promise<void> {
    await update(job, { leased_until: until, updated_at: clock.now() });
  }

  async function finish(job: ImportJobTable, failure: string | null): Promise<void> {
    const row = await readImportJob(db, job.tenant_no, job.import_job_id);
    if (row === null) return folder.remove(job.import_job_id);
    const [first] = await listImportErrors(db, job.tenant_no, job.import_job_id, { offset: 0, limit: 1 });
    const reason = failure ?? reasonNothingCame(row, first?.message ?? null);
    const status: JobStatus = reason !== null ? 'failed' : row.error_count > 0 ? 'completed_with_errors' : 'completed';
    const now = clock.now();
    const ended = { status, failure: reason, finished_at: now, updated_at: now, leased_until: 0 };
    const done = reason === null ? { bytes_done: row.bytes_total } : {};
    if (await update(job, { ...ended, ...done })) onChanged({ ...row, ...ended, ...done });
    await forgetFile(job);
  }

  function update(job: ImportJobTable, values: Partial<ImportJobTable>): Promise<boolean> {
    const key = { tenantNo: job.tenant_no, id: job.import_job_id, token: job.lease_token };
    return updateLeased(db, 'import_jobs', key, values);
  }

  async function sweepOnce(): Promise<void> {
    if (hasSwept) return;
    hasSwept = true;
    await folder.sweep(await openImportIds(db), Date.now());
  }

  return {
    receive: (source) => folder.receive(source),
    discard: (file) => folder.discard(file),
    async add(tenantId, file, request) {
      const tenantNo = await tenantNoOf(tenantId);
      const importJobId = newId('imp', clock, random);
      await folder.keep(file, importJobId);
      const row = newJob(tenantNo, importJobId, request, { ...file, sourceFile: null });
      await insertImportJob(db, row);
      onChanged(row, { isNew: true });
      return toImportRecord(row);
    },
    async addLocal(tenantId, path, request) {
      const tenantNo = await tenantNoOf(tenantId);
      const file = await describeFile(path);
      const filter = { status: null, contentHash: file.contentHash };
      const range = { after: null, offset: 0, limit: 20 };
      const known = (await listImportJobs(db, tenantNo, filter, range)).find((row) => !GIVEN_UP.has(row.status));
      if (known) return { job: toImportRecord(known), isKnown: true };
      const row = newJob(tenantNo, newId('imp', clock, random), request, { ...file, sourceFile: path });
      await insertImportJob(db, row);
      onChanged(row, { isNew: true });
      return { job: toImportRecord(row), isKnown: false };
    },
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listImportJobs(db, tenantNo, filter, toRange(page));
      return toPage(rows, await countImportJobs(db, tenantNo, filter), page, {
        toItem: toImportRecord,
        positionOf: (row) => ({ at: row.created_at, id: row.import_job_id }),
      });
    },
    get: async (tenantId, importJobId) => toImportRecord(await load(tenantId, importJobId)),
    async results(tenantId, importJobId, { page, pageSize }) {
      const row = await load(tenantId, importJobId);
      const slice = { offset: (page - 1) * pageSize, limit: pageSize + 1 };
      const traces = await listImportTraces(db, row.tenant_no, importJobId, slice);
      const errors = await listImportErrors(db, row.tenant_no, importJobId, slice);
      return {
        ...toImportRecord(row),
        trace_count: await countImportTraces(db, row.tenant_no, importJobId),
        trace_ids: traces.slice(0, pageSize),
        errors: errors.slice(0, pageSize).map(toImportErrorRecord),
        page,
        page_size: pageSize,
        has_more: traces.length > pageSize || errors.length > pageSize,
      };
    },
    async remove(tenantId, importJobId) {
      const row = await load(tenantId, importJobId);
      const tenantNo = row.tenant_no;
      const isCancelled = await cancelJob(db, 'import_jobs', { tenantNo, id: importJobId }, clock.now());
      if (isCancelled) onChanged({ ...row, status: 'cancelled' });
      else await inTransaction(db, (transaction) => deleteImportJob(transaction, tenantNo, importJobId));
      await folder.remove(importJobId);
    },
    async runDue(limit) {
      await sweepOnce();
      for (let done = 0; done < limit; done += 1) {
        const job = isClosing ? null : await lease(null);
        if (job === null) return done;
        await slices.during(job.tenant_no, clock.now, () => work(job));
      }
      return limit;
    },
    async runNow(tenantId, importJobId) {
      const job = await lease({ tenantNo: await tenantNoOf(tenantId), id: importJobId });
      if (job !== null) await work(job);
      return job !== null;
    },
    nextDueAt: () => nextJobDue(db, 'import_jobs'),
    close() {
      isClosing = true;
    },
  };
}

const GIVEN_UP = new Set(['failed', 'cancelled']);

interface FileFacts {
  bytes: number;
  contentHash: string;
  sourceFile: string | null;
}

/** Why a file that was read to its end counts as failed; null where it does not. */
function reasonNothingCame(row: ImportJobTable, firstError: string | null): string | null {
  if (row.records_done === 0) return 'The file holds no records.';
  if (row.spans_accepted > 0 || row.records_failed < row.records_done) return null;
  const known = row.formats === '[]' ? ` ${knownFormats()}` : '';
  return `Nothing in the file could be taken: ${firstError ?? 'it holds no spans'}${known}`;
}
