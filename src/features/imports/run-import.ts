import { AppError } from '../../core/app-error.ts';
import { boundedFieldError } from '../../core/bounded-errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Json } from '../../core/json.ts';
import type { Refusal, Span } from '../../core/span.ts';
import type { DetectOptions } from '../../formats/detect/detect-format.ts';
import { planLayout } from '../../formats/detect/plan-layout.ts';
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
import type { DetectionLine, FeedbackLine } from '../export/export-line.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import { type DecodedRecord, decodeImportFile, decodeImportRecord } from './decode-import.ts';
import { type FileReading, openReading, readAll, readHead } from './read-file.ts';
import { type PlacedLine, readExported, redactedLine, restoreExported } from './take-exported.ts';

export interface ImportRunOptions {
  ingest: Pick<IngestService, 'ingestSpans'>;
  clock: Clock;
  tenantId: string;
  path: string;
  leaseMs: number;
  redactText(text: string): string;
  /** @returns why the setting could not be taken; null where it was */
  applySetting(tenantId: string, setting: { name: string; value: Json }): Promise<string | null>;
  /** Asked between two commits. */
  shouldStop(): boolean;
}

/** How a run ended: it came to the end of the file, was told to stop, or has lost the job to somebody else. */
export type ImportRunEnd = 'ended' | 'stopped' | 'lost';

/** One record may hold this much, and a file that is read as a whole. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024;
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
/** A commit is made of at most about this much. */
const BATCH = { spans: 1_000, bytes: 1024 * 1024, records: 500 };
const MAX_ERRORS_KEPT = 1_000;

/** Takes a job's file into the store from where the job stands; what it says of itself moves on with every commit. */
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
    await state.takeWhole(reading);
    return 'ended';
  }
  const splitter = createRecordSplitter(plan, { from: state.position, maxBytes: MAX_RECORD_BYTES });
  for await (const chunk of reading.chunks(state.position.offset)) {
    for (const record of splitter.push(chunk)) {
      if (await state.take(record, plan, reading)) if (shouldStop()) return 'stopped';
    }
  }
  for (const record of splitter.finish()) await state.take(record, plan, reading);
  await state.commit(reading);
  return 'ended';
}

/** Somebody else works on the job by now, or it was cancelled. */
class JobLost extends Error {}

/** What a job has committed, and what waits for the next commit. */
class ImportState {
  position: SplitPosition;
  readonly #job: ImportJobTable;
  readonly #options: ImportRunOptions;
  readonly #formats: Set<string>;
  readonly #counts: Counts;
  #pending = emptyBatch();
  #workedUntil: number;

  constructor(job: ImportJobTable, options: ImportRunOptions) {
    this.#job = job;
    this.#options = options;
    this.#formats = new Set(JSON.parse(job.formats) as string[]);
    this.position = { offset: job.position_offset, line: job.position_line, index: job.records_done };
    this.#counts = countsOf(job);
    this.#workedUntil = options.clock.now();
  }

  /** @returns whether it came to a commit */
  async take(record: RawRecord, layout: Layout, reading: FileReading): Promise<boolean> {
    // A sender may give no time: records then keep their order by the millisecond.
    const decoded =
      (await this.#takeExported(record)) ?? decodeImportRecord(record.bytes, layout, this.#decodeOptions(record.index));
    this.#add(decoded, record, record.bytes?.length ?? 0);
    const { spans, bytes, records } = this.#pending;
    if (spans.length < BATCH.spans && bytes < BATCH.bytes && records < BATCH.records) return false;
    await this.commit(reading);
    await new Promise(setImmediate);
    return true;
  }

  /** What an export of ours says beside its spans; null where the record is something else. */
  async #takeExported({ bytes, index, line }: RawRecord): Promise<DecodedRecord | null> {
    const exported = readExported(bytes);
    if (exported === null) return null;
    const taken: DecodedRecord = { spans: [], refusals: [], formats: ['misstep-export'], hasFailed: false };
    if ('message' in exported) return { ...taken, refusals: [exported], hasFailed: true };
    if (exported.kind === 'setting') {
      const problem = await this.#options.applySetting(this.#options.tenantId, exported);
      return problem === null
        ? taken
        : { ...taken, refusals: [{ pointer: '/value', message: problem }], hasFailed: true };
    }
    if (exported.kind === 'detection' || exported.kind === 'feedback') {
      const redacted = redactedLine(exported, this.#options.redactText);
      this.#pending.exported.push({ record: index, line, exported: redacted });
    }
    return taken;
  }

  async takeWhole(reading: FileReading): Promise<void> {
    const bytes = await readAll(reading, MAX_WHOLE_BYTES);
    if (bytes.length === 0) return;
    const decoded = decodeImportFile(bytes, this.#decodeOptions(0));
    const end = { offset: bytes.length, index: 1, line: 1 };
    this.#add(decoded, { bytes, index: 0, line: 1, end }, bytes.length);
    await this.commit(reading);
  }

  #decodeOptions(index: number): DetectOptions {
    const hint = this.#job.format as DetectOptions['hint'] | null;
    return { receivedAtMs: this.#job.created_at + index, ...(hint === null ? {} : { hint }) };
  }

  #add(decoded: DecodedRecord, { index, line, end }: RawRecord, bytes: number): void {
    const pending = this.#pending;
    for (const span of decoded.spans) pending.spans.push(span);
    for (const refusal of decoded.refusals) pending.refusals.push({ ...refusal, record: index, line });
    for (const format of decoded.formats) this.#formats.add(format);
    pending.records += 1;
    pending.failed += decoded.hasFailed ? 1 : 0;
    pending.rejected += decoded.formats.length > 0 ? decoded.refusals.length : 0;
    pending.bytes += bytes;
    pending.end = end;
  }

  /** Puts what waits into the store, together with how far the job has come. @throws JobLost */
  async commit(reading: FileReading): Promise<void> {
    const { spans, refusals, records, failed, rejected, exported, end } = this.#pending;
    if (end === null) return;
    const { ingest, tenantId, clock, leaseMs } = this.#options;
    const { tenant_no: tenantNo, import_job_id: importJobId, lease_token: token } = this.#job;
    const now = clock.now();
    const counts: Counts = {
      records_done: this.#counts.records_done + records,
      records_failed: this.#counts.records_failed + failed,
      spans_accepted: this.#counts.spans_accepted + spans.length,
      spans_rejected: this.#counts.spans_rejected + rejected,
      error_count: this.#counts.error_count + refusals.length,
      work_ms: this.#counts.work_ms + Math.max(0, now - this.#workedUntil),
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
    await ingest.ingestSpans(
      tenantId,
      { spans, refusals: [] },
      {
        isHistory: this.#job.is_alerting === 0,
        alongside: async (transaction) => {
          const key = { tenantNo, id: importJobId, token };
          if (!(await updateLeased(transaction, 'import_jobs', key, values)))
            throw new AppError('conflict', LOST, { cause: new JobLost() });
          await addImportTraces(transaction, tenantNo, importJobId, [...new Set(spans.map((span) => span.traceId))]);
          const homeless = await restoreExported(transaction, tenantNo, exported);
          const all = [...refusals, ...homeless];
          if (homeless.length > 0) {
            counts.error_count += homeless.length;
            counts.records_failed += homeless.length;
            const { error_count, records_failed } = counts;
            await updateLeased(transaction, 'import_jobs', key, { error_count, records_failed });
          }
          await this.#noteErrors(transaction, all);
        },
      },
    );
    Object.assign(this.#counts, counts);
    this.#workedUntil = now;
    this.position = end;
    this.#pending = emptyBatch();
  }

  async #noteErrors(db: Db, refusals: readonly PlacedRefusal[]): Promise<void> {
    const first = this.#counts.error_count;
    const kept = refusals.slice(0, Math.max(0, MAX_ERRORS_KEPT - first));
    const { tenant_no, import_job_id } = this.#job;
    await addImportErrors(
      db,
      kept.map((refusal, at) => ({ tenant_no, import_job_id, sequence: first + at, ...boundedFieldError(refusal) })),
    );
  }
}

const LOST = 'The job is no longer in work here.';

type Counts = Pick<
  ImportJobTable,
  'records_done' | 'records_failed' | 'spans_accepted' | 'spans_rejected' | 'error_count' | 'work_ms'
>;

type PlacedRefusal = Refusal & { record: number; line: number };

interface Batch {
  spans: Span[];
  refusals: PlacedRefusal[];
  records: number;
  failed: number;
  rejected: number;
  bytes: number;
  exported: PlacedLine<DetectionLine | FeedbackLine>[];
  end: SplitPosition | null;
}

function emptyBatch(): Batch {
  return { spans: [], refusals: [], records: 0, failed: 0, rejected: 0, bytes: 0, exported: [], end: null };
}

function countsOf(job: ImportJobTable): Counts {
  const { records_done, records_failed, spans_accepted, spans_rejected, error_count, work_ms } = job;
  return { records_done, records_failed, spans_accepted, spans_rejected, error_count, work_ms };
}
