import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { ImportErrorTable, ImportJobTable } from '../../store/background.schema.ts';

export const JOB_STATUSES = [
  'queued',
  'processing',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const importRecord = z
  .object({
    import_job_id: z.string().describe('`imp_…`'),
    status: z.enum(JOB_STATUSES),
    file_name: z.string(),
    sha256: z.string().describe('SHA-256 of the file as sent, hex'),
    format: z.string().nullable().describe('Format of the file; null: detected from the content'),
    formats: z.array(z.string()).describe('Formats of the records read so far'),
    alert: z.boolean().describe('Whether detections send alerts'),
    bytes_total: z.number().int(),
    bytes_done: z.number().int(),
    progress: z.number().describe('0 to 1'),
    eta_seconds: z.number().int().nullable().describe('Estimated from the speed so far; null if unknown'),
    records_done: z.number().int(),
    records_failed: z.number().int().describe('Records of which no part could be imported'),
    spans_accepted: z.number().int(),
    spans_rejected: z.number().int(),
    error_count: z.number().int(),
    failure: z.string().nullable().describe('Why the job as a whole failed'),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ImportJob' });
export type ImportRecord = z.output<typeof importRecord>;

export const importErrorRecord = z
  .object({
    record: z.number().int().describe('Which record of the file, from zero'),
    line: z.number().int().describe('Line it begins in, from one'),
    pointer: z.string().describe('RFC 6901 pointer into the record'),
    message: z.string(),
  })
  .meta({ id: 'ImportError' });

export const importResultsRecord = importRecord
  .extend({
    trace_count: z.number().int(),
    trace_ids: z.array(z.string()).describe('Traces that received spans, on this page'),
    errors: z.array(importErrorRecord).describe('Rejected records on this page; the first thousand are stored'),
    page: z.number().int(),
    page_size: z.number().int(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ImportResults' });
export type ImportResultsRecord = z.output<typeof importResultsRecord>;

export function toImportRecord(row: ImportJobTable): ImportRecord {
  const progress = progressOf(row);
  return {
    import_job_id: row.import_job_id,
    status: row.status as JobStatus,
    file_name: row.file_name,
    sha256: row.content_hash,
    format: row.format,
    formats: JSON.parse(row.formats) as string[],
    alert: row.is_alerting === 1,
    bytes_total: row.bytes_total,
    bytes_done: row.bytes_done,
    progress,
    eta_seconds: etaOf(row, progress),
    records_done: row.records_done,
    records_failed: row.records_failed,
    spans_accepted: row.spans_accepted,
    spans_rejected: row.spans_rejected,
    error_count: row.error_count,
    failure: row.failure,
    created_at: toRfc3339(row.created_at),
    started_at: row.started_at === null ? null : toRfc3339(row.started_at),
    finished_at: row.finished_at === null ? null : toRfc3339(row.finished_at),
  };
}

function progressOf({ status, bytes_done, bytes_total }: ImportJobTable): number {
  if (status === 'completed' || status === 'completed_with_errors') return 1;
  return bytes_total === 0 ? 0 : Math.min(1, Math.round((bytes_done / bytes_total) * 1000) / 1000);
}

function etaOf({ status, bytes_done, bytes_total, work_ms }: ImportJobTable, progress: number): number | null {
  if (status !== 'processing') return null;
  if (progress >= 1) return 0;
  if (bytes_done === 0 || work_ms === 0) return null;
  return Math.ceil(((bytes_total - bytes_done) * work_ms) / bytes_done / 1000);
}

export function toImportErrorRecord(row: ImportErrorTable): z.output<typeof importErrorRecord> {
  return { record: row.record, line: row.line, pointer: row.pointer, message: row.message };
}
