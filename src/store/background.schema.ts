export interface ImportJobTable {
  tenant_no: number;
  import_job_id: string;
  /** `queued`, `processing`, `completed`, `completed_with_errors`, `failed` or `cancelled`. */
  status: string;
  /** The sender's file name. */
  file_name: string;
  /** Path of the file; null: in the data folder, from which it is deleted after the import. */
  source_file: string | null;
  /** SHA-256 of the file, hex. */
  content_hash: string;
  /** The only format to read it as; null if it is detected from the content. */
  format: string | null;
  /** JSON array of the detected formats. */
  formats: string;
  is_alerting: number;
  /** Size of the file on disk, compressed or not. */
  bytes_total: number;
  bytes_done: number;
  /** Offset up to which the decompressed content is in the store. */
  position_offset: number;
  position_line: number;
  records_done: number;
  records_failed: number;
  spans_accepted: number;
  spans_rejected: number;
  /** May exceed the number that is stored. */
  error_count: number;
  /** Why the whole job failed. */
  failure: string | null;
  /** Processing time, across restarts. */
  work_ms: number;
  /** Lease token: a commit under another token is rejected. */
  lease_token: string | null;
  leased_until: number;
  /** The process that holds the lease. */
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
  /** Zero-based. */
  record: number;
  /** One-based. */
  line: number;
  /** Position within the record. */
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
  /** JSON of the request. */
  input: string;
  /** Id of the last processed trace; empty at the beginning. */
  position: string;
  looked_at: number;
  done: number;
  failure: string | null;
  lease_token: string | null;
  leased_until: number;
  /** The process that holds the lease. */
  lease_owner: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
}
