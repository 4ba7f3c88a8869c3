import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { boundedFieldError } from '../../core/bounded-errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Json } from '../../core/json.ts';
import type { DetectOptions } from '../../formats/detect/detect-format.ts';
import { planLayout } from '../../formats/detect/plan-layout.ts';
import { redactFieldError } from '../../formats/redaction/redact-message.ts';
import {
  createRecordSplitter,
  type Layout,
  type RawRecord,
  type SplitPosition,
} from '../../formats/split/record-splitter.ts';
import type { ImportJobTable } from '../../store/background.schema.ts';
import type { Db } from '../../store/connection.ts';
import { addImportErrors, addImportTraces } from '../../store/import.store.ts';
import { updateLeased } from '../../store/job-lease.store.ts';
import type { Database } from '../../store/schema.ts';
import { inBatches } from '../../store/transaction.ts';
import type { DetectionLine, FeedbackLine } from '../export/export-line.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import { type ImportRecordsFacts, importRecords, type PlacedRecord } from './import-records.decoder.ts';
import { type FileReading, openReading, readAll, readHead } from './read-file.ts';
import { type PlacedLine, type PlacedRejection, redactedLine, restoreExported } from './restore-exported.ts';

export interface ImportRunOptions {
  db: Kysely<Database>;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  clock: Clock;
  tenantId: string;
  path: string;
  leaseMs: number;
  redactText(text: string): string;
  /** @returns why the setting was rejected; null if it was applied */
  applySetting(tenantId: string, setting: { name: string; value: Json }): Promise<string | null>;
  /** Called after each commit. */
  onProgress(job: ImportJobTable): void;
  /** Checked between two commits. */
  shouldStop(): Promise<boolean>;
}

/** How a run ended: at the end of the file, stopped, or after losing its lease. */
export type ImportRunEnd = 'ended' | 'stopped' | 'lost';

/** Maximum size of one record, and of a file that is read as a whole. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
/** Approximate maximum size of one commit. */
const BATCH = { bytes: 1024 * 1024, records: 500 };
const MAX_STORED_ERRORS = 1_000;
const IDS_PER_TRANSACTION = 1_000;

/** Imports a job's file from the job's position; its progress is stored with every commit. */
export async function runImport(job: ImportJobTable, options: ImportRunOptions): Promise<ImportRunEnd> {
  const state = new ImportState(job, options);
  try {
    return await run(state, options);
  } catch (error) {
    if (error instanceof JobLost || (error instanceof AppError && error.cause instanceof JobLost)) return 'lost';
    throw error;
  }
}

async function run(state: ImportState, { path, shouldStop }: ImportRunOptions): Promise<ImportRunEnd> {
  const head = await readHead(path);
  const plan = planLayout(head.bytes, head.isAll);
  const reading = openReading(path);
  if (plan.kind === 'whole') {
    await state.importAtOnce(reading);
    return 'ended';
  }
  const splitter = createRecordSplitter(plan, { from: state.position, maxBytes: MAX_RECORD_BYTES });
  for await (const chunk of reading.chunks(state.position.offset)) {
    for (const record of splitter.push(chunk)) {
      if ((await state.addRecord(record, plan, reading)) && (await shouldStop())) return 'stopped';
    }
  }
  for (const record of splitter.finish()) await state.addRecord(record, plan, reading);
  await state.commit(plan, reading);
  return 'ended';
}

/** Another process runs the job by now, or it was cancelled. */
class JobLost extends Error {}

/** Committed progress of a job, and data for the next commit. */
class ImportState {
  position: SplitPosition;
  readonly #job: ImportJobTable;
  readonly #options: ImportRunOptions;
  readonly #formats: Set<string>;
  readonly #counts: Counts;
  #pending = emptyBatch();
  #lastProgressAt: number;

  constructor(job: ImportJobTable, options: ImportRunOptions) {
    this.#job = job;
    this.#options = options;
    this.#formats = new Set(JSON.parse(job.formats) as string[]);
    this.position = { offset: job.position_offset, line: job.position_line, index: job.records_done };
    this.#counts = countsOf(job);
    this.#lastProgressAt = options.clock.now();
  }

  /** @returns whether it committed */
  async addRecord(record: RawRecord, layout: Layout, reading: FileReading): Promise<boolean> {
    this.#append(record);
    const { bytes, records } = this.#pending;
    if (bytes < BATCH.bytes && records.length < BATCH.records) return false;
    await this.commit(layout, reading);
    await new Promise(setImmediate);
    return true;
  }

  async importAtOnce(reading: FileReading): Promise<void> {
    const bytes = await readAll(reading, MAX_WHOLE_BYTES);
    if (bytes.length === 0) return;
    const end = { offset: bytes.length, index: 1, line: 1 };
    this.#append({ bytes, index: 0, line: 1, end });
    await this.commit(null, reading);
  }

  #append({ bytes, index, line, end }: RawRecord): void {
    const pending = this.#pending;
    pending.records.push({ length: bytes?.length ?? null, index, line });
    if (bytes !== null) pending.contents.push(bytes);
    pending.bytes += bytes?.length ?? 0;
    pending.end = end;
  }

  /** Stores the pending data, together with the job's progress. @param layout null for a whole file @throws JobLost */
  async commit(layout: Layout | null, reading: FileReading): Promise<void> {
    const { contents, records, end } = this.#pending;
    if (end === null) return;
    this.#pending = emptyBatch();
    const hint = this.#job.format as DetectOptions['hint'] | null;
    const prepared = await this.#options.ingest.prepare(
      this.#options.tenantId,
      importRecords,
      // A copy, because another thread takes ownership and the splitter may still read its input.
      Buffer.concat(contents),
      { records, layout, hint, receivedAtMs: this.#job.created_at },
      { isBackground: true },
    );
    await this.#store(prepared, await this.#importSettings(prepared.facts), { records: records.length, end }, reading);
  }

  /** Applies settings; data of traces is stored with them. */
  async #importSettings({ exported }: ImportRecordsFacts): Promise<Exported> {
    const { tenantId, applySetting, redactText } = this.#options;
    const lines: Exported['lines'] = [];
    const rejections: PlacedRejection[] = [];
    for (const { record, line, exported: each } of exported) {
      if (each.kind === 'setting') {
        const problem = await applySetting(tenantId, each);
        if (problem !== null) rejections.push({ record, line, pointer: '/value', message: problem });
      } else if (each.kind === 'detection' || each.kind === 'feedback')
        lines.push({ record, line, exported: redactedLine(each, redactText) });
    }
    return { lines, rejections };
  }

  async #store(
    prepared: PreparedBody<ImportRecordsFacts>,
    exported: Exported,
    { records, end }: { records: number; end: SplitPosition },
    reading: FileReading,
  ): Promise<void> {
    const { facts, traceIds } = prepared;
    const rejections = [...facts.rejections, ...exported.rejections].sort((one, other) => one.record - other.record);
    for (const format of facts.formats) this.#formats.add(format);
    const { ingest, tenantId, clock, leaseMs } = this.#options;
    const { tenant_no: tenantNo, import_job_id: importJobId, lease_token: token } = this.#job;
    const now = clock.now();
    const counts: Counts = {
      records_done: this.#counts.records_done + records,
      records_failed: this.#counts.records_failed + facts.failed + exported.rejections.length,
      spans_accepted: this.#counts.spans_accepted + prepared.acceptedSpans,
      spans_rejected: this.#counts.spans_rejected + facts.rejectedSpans + exported.rejections.length,
      error_count: this.#counts.error_count + rejections.length,
      work_ms: this.#counts.work_ms + Math.max(0, now - this.#lastProgressAt),
    };
    const values = {
      ...counts,
      position_offset: end.offset,
      position_line: end.line,
      bytes_done: Math.min(this.#job.bytes_total, reading.bytesDone(end.offset)),
      formats: JSON.stringify([...this.#formats]),
      leased_until: now + leaseMs,
      updated_at: now,
    };
    const lastIds = traceIds.slice(-IDS_PER_TRANSACTION);
    await this.#recordTraces(traceIds.slice(0, -IDS_PER_TRANSACTION));
    await ingest.ingestPrepared(tenantId, prepared, {
      isHistory: this.#job.is_alerting === 0,
      withCommit: async (transaction) => {
        const key = { tenantNo, id: importJobId, token };
        if (!(await updateLeased(transaction, 'import_jobs', key, values)))
          throw new AppError('conflict', LOST, { cause: new JobLost() });
        await addImportTraces(transaction, tenantNo, importJobId, lastIds);
        const unplaced = await restoreExported(transaction, tenantNo, exported.lines);
        const all = [...rejections, ...unplaced];
        if (unplaced.length > 0) {
          counts.error_count += unplaced.length;
          counts.records_failed += unplaced.length;
          const { error_count, records_failed } = counts;
          await updateLeased(transaction, 'import_jobs', key, { error_count, records_failed });
        }
        await this.#recordErrors(transaction, all);
      },
    });
    Object.assign(this.#counts, counts);
    this.#lastProgressAt = now;
    this.position = end;
    this.#options.onProgress({ ...this.#job, ...values, ...counts });
  }

  /** Split for a batch of very many traces, so that none of its transactions takes long. */
  async #recordTraces(traceIds: readonly string[]): Promise<void> {
    const { tenant_no: tenantNo, import_job_id: importJobId } = this.#job;
    for (const slice of inBatches(traceIds, IDS_PER_TRANSACTION)) {
      await addImportTraces(this.#options.db, tenantNo, importJobId, slice);
      await new Promise(setImmediate);
    }
  }

  async #recordErrors(db: Db, rejections: readonly PlacedRejection[]): Promise<void> {
    const first = this.#counts.error_count;
    const stored = rejections.slice(0, Math.max(0, MAX_STORED_ERRORS - first));
    const { tenant_no, import_job_id } = this.#job;
    await addImportErrors(
      db,
      stored.map((rejection, at) => ({
        tenant_no,
        import_job_id,
        sequence: first + at,
        ...redactFieldError(boundedFieldError(rejection)),
      })),
    );
  }
}

const LOST = 'Another process runs the job now.';

type Counts = Pick<
  ImportJobTable,
  'records_done' | 'records_failed' | 'spans_accepted' | 'spans_rejected' | 'error_count' | 'work_ms'
>;

/** Lines of a Misstep export besides its spans, in storable form. */
interface Exported {
  lines: PlacedLine<DetectionLine | FeedbackLine>[];
  rejections: PlacedRejection[];
}

interface Batch {
  contents: Buffer[];
  records: PlacedRecord[];
  bytes: number;
  end: SplitPosition | null;
}

function emptyBatch(): Batch {
  return { contents: [], records: [], bytes: 0, end: null };
}

function countsOf(job: ImportJobTable): Counts {
  const { records_done, records_failed, spans_accepted, spans_rejected, error_count, work_ms } = job;
  return { records_done, records_failed, spans_accepted, spans_rejected, error_count, work_ms };
}
