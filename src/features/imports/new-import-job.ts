import type { ImportJobTable } from '../../store/background.schema.ts';

export interface ImportRequest {
  fileName: string;
  /** Format of the file; null: detected from the content. */
  format: string | null;
  /** Its detections trigger alerts, as for live data. */
  isAlerting: boolean;
}

/** Facts about the file of a job. */
export interface FileFacts {
  bytes: number;
  contentHash: string;
  sourceFile: string | null;
}

/** A queued import job. @param request with a redacted file name */
export function newImportJob(
  job: { tenantNo: number; importJobId: string },
  request: ImportRequest,
  file: FileFacts,
  now: number,
): ImportJobTable {
  return {
    tenant_no: job.tenantNo,
    import_job_id: job.importJobId,
    status: 'queued',
    file_name: request.fileName,
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
