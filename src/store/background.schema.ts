export interface ImportJobTable {
  tenant_no: number;
  import_job_id: string;
  /** `queued`, `processing`, `completed`, `completed_with_errors`, `failed` or `cancelled`. */
  status: string;
  /** As its sender named it. */
  file_name: string;
  /** Where it lies; null: in the data folder, from which it goes once it is taken. */
  source_file: string | null;
  /** SHA-256 of the file, hex. */
  content_hash: string;
  /** The only format it is read as; null where it is told by the content. */
  format: string | null;
  /** JSON array of the formats that were met. */
  formats: string;
  is_alerting: number;
  /** Of the file as it lies on the disk, packed or not. */
  bytes_total: number;
  bytes_done: number;
  /** Up to where the unpacked content is in the store. */
  position_offset: number;
  position_line: number;
  records_done: number;
  records_failed: number;
  spans_accepted: number;
  spans_rejected: number;
  /** May be more than are kept. */
  error_count: number;
  /** Why the job as a whole failed. */
  failure: string | null;
  /** Time spent working, across restarts. */
  work_ms: number;
  /** Who works on it: a commit under another token is refused. */
  lease_token: string | null;
  leased_until: number;
  /** The process that has the lease. */
  lease_owner: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
}

export interface ImportTraceTable {
  tenant_no: number;
  import_job_id: string;
  trace_id: string;
}

export interface ImportErrorTable {
  tenant_no: number;
  import_job_id: string;
  sequence: number;
  /** From zero. */
  record: number;
  /** From one. */
  line: number;
  /** Within the record. */
  pointer: string;
  message: string;
}

/** Work on a tenant's data that takes longer than a request. */
export interface OperationJobTable {
  tenant_no: number;
  job_id: string;
  /** `delete_traces` or `retention`. */
  kind: string;
  status: string;
  /** JSON of what was asked. */
  input: string;
  /** Id of the last trace that was looked at; empty at the beginning. */
  position: string;
  looked_at: number;
  done: number;
  failure: string | null;
  lease_token: string | null;
  leased_until: number;
  /** The process that has the lease. */
  lease_owner: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
}
