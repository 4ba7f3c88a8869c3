import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
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
  readImportJob,
} from '../../store/import.store.ts';
import { cancelJob } from '../../store/job-lease.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { type ImportRecord, type ImportResultsRecord, toImportErrorRecord, toImportRecord } from './import.record.ts';
import {
  createImportFolder,
  describeFile,
  type ImportFolder,
  type ReceivedFile,
  type UploadGuard,
} from './import-folder.ts';
import { ImportWorker, type ImportWorkerOptions } from './import-worker.ts';
import { type FileFacts, type ImportRequest, newImportJob } from './new-import-job.ts';

/** Accepts files, stores their jobs and runs them. */
export class ImportService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #folder: ImportFolder;
  readonly #redactText: (text: string) => string;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #onChanged: NonNullable<ImportWorkerOptions['onChanged']>;
  readonly #worker: ImportWorker;

  constructor(
    options: ImportWorkerOptions & {
      folder: string;
      guard: UploadGuard;
      tenantNoOf(tenantId: string): Promise<number>;
    },
  ) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#folder = createImportFolder(options.folder, options.guard);
    this.#redactText = options.redactText;
    this.#tenantNoOf = options.tenantNoOf;
    this.#onChanged = options.onChanged ?? (() => {});
    this.#worker = new ImportWorker(this.#folder, options);
  }

  /** Streams an upload to disk. @throws AppError `payload_too_large` */
  receive(source: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    return this.#folder.receive(source);
  }

  discard(file: ReceivedFile): Promise<void> {
    return this.#folder.discard(file);
  }

  /** Creates a job for a received file. */
  async add(tenantId: string, file: ReceivedFile, request: ImportRequest): Promise<ImportRecord> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const importJobId = newId('imp', this.#clock, this.#random);
    await this.#folder.keep(file, importJobId);
    return this.#insert({ tenantNo, importJobId }, request, { ...file, sourceFile: null });
  }

  /** Creates a job for a file that stays in place, or returns its existing job. */
  async addLocal(
    tenantId: string,
    path: string,
    request: ImportRequest,
  ): Promise<{ job: ImportRecord; isKnown: boolean }> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const file = await describeFile(path);
    const filter = { status: null, contentHash: file.contentHash };
    const range = { after: null, offset: 0, limit: 20 };
    const known = (await listImportJobs(this.#db, tenantNo, filter, range)).find((row) => !GIVEN_UP.has(row.status));
    if (known) return { job: toImportRecord(known), isKnown: true };
    const importJobId = newId('imp', this.#clock, this.#random);
    const job = await this.#insert({ tenantNo, importJobId }, request, { ...file, sourceFile: path });
    return { job, isKnown: false };
  }

  /** Newest first. */
  async list(tenantId: string, filter: ImportFilter, page: PageRequest): Promise<Page<ImportRecord>> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const rows = await listImportJobs(this.#db, tenantNo, filter, toRange(page));
    return toPage(rows, await countImportJobs(this.#db, tenantNo, filter), page, {
      toItem: toImportRecord,
      positionOf: (row) => ({ at: row.created_at, id: row.import_job_id }),
    });
  }

  /** @throws AppError `not_found` */
  async get(tenantId: string, importJobId: string): Promise<ImportRecord> {
    return toImportRecord(await this.#load(tenantId, importJobId));
  }

  async results(tenantId: string, importJobId: string, { page, pageSize }: PageRequest): Promise<ImportResultsRecord> {
    const row = await this.#load(tenantId, importJobId);
    const slice = { offset: (page - 1) * pageSize, limit: pageSize + 1 };
    const traces = await listImportTraces(this.#db, row.tenant_no, importJobId, slice);
    const errors = await listImportErrors(this.#db, row.tenant_no, importJobId, slice);
    return {
      ...toImportRecord(row),
      trace_count: await countImportTraces(this.#db, row.tenant_no, importJobId),
      trace_ids: traces.slice(0, pageSize),
      errors: errors.slice(0, pageSize).map(toImportErrorRecord),
      page,
      page_size: pageSize,
      has_more: traces.length > pageSize || errors.length > pageSize,
    };
  }

  /** Cancels an open job, deletes the record of a finished one; imported traces stay. @throws AppError `not_found` */
  async remove(tenantId: string, importJobId: string): Promise<void> {
    const row = await this.#load(tenantId, importJobId);
    const tenantNo = row.tenant_no;
    const key = { tenantNo, id: importJobId };
    if (await cancelJob(this.#db, 'import_jobs', key, this.#clock.now()))
      this.#onChanged({ ...row, status: 'cancelled' });
    else await inTransaction(this.#db, (transaction) => deleteImportJob(transaction, tenantNo, importJobId));
    await this.#folder.remove(importJobId);
  }

  /** Runs jobs that no other process runs. @returns how many */
  runDue(limit: number): Promise<number> {
    return this.#worker.runDue(limit);
  }

  /** Runs this job now, unless another process does. @returns whether it ran */
  async runNow(tenantId: string, importJobId: string): Promise<boolean> {
    return this.#worker.runNow({ tenantNo: await this.#tenantNoOf(tenantId), id: importJobId });
  }

  /** Unix milliseconds; null if no job waits. */
  nextDueAt(): Promise<number | null> {
    return this.#worker.nextDueAt();
  }

  /** Stops the current job after its commit; a later run continues from there. */
  close(): void {
    this.#worker.close();
  }

  async #load(tenantId: string, importJobId: string): Promise<ImportJobTable> {
    const row = await readImportJob(this.#db, await this.#tenantNoOf(tenantId), importJobId);
    if (row === null) throw new AppError('not_found', `There is no import job ${importJobId}.`);
    return row;
  }

  async #insert(
    job: { tenantNo: number; importJobId: string },
    request: ImportRequest,
    file: FileFacts,
  ): Promise<ImportRecord> {
    const redacted = { ...request, fileName: this.#redactText(request.fileName) };
    const row = newImportJob(job, redacted, file, this.#clock.now());
    await insertImportJob(this.#db, row);
    this.#onChanged(row, { isNew: true });
    return toImportRecord(row);
  }
}

const GIVEN_UP = new Set(['failed', 'cancelled']);
