/** A change proposed for a detection, from its plan to its rollback. */
export interface HealingOperationTable {
  tenant_no: number;
  operation_id: string;
  detection_id: string;
  /** Issue of the detection; null if it has none. */
  issue_id: string | null;
  /** Null if the change was given with the operation. */
  fix_id: string | null;
  fix_type: string;
  title: string;
  risk: string;
  executor: string;
  /** JSON; may hold secrets. */
  target: string;
  /** `manual` or `auto`. */
  policy: string;
  status: string;
  /** The last started action: `apply` or `rollback`; null before. */
  action: string | null;
  /** JSON array of the fix's changes. */
  changes: string;
  /** The target's content when it was planned, and the planned content; null if the change is manual. */
  content_before: string | null;
  content_after: string | null;
  /** JSON array. */
  approvals: string;
  /** JSON of the last read of the target. */
  verification: string | null;
  error: string | null;
  /** Comments of users. */
  note: string | null;
  /** Lease token: an outcome under another token is rejected. Null while no process executes it. */
  lease_token: string | null;
  /** The process that holds the lease. */
  lease_holder: string | null;
  leased_until: number | null;
  created_by: string | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  applied_at: number | null;
  rolled_back_at: number | null;
}

/** Changes with their author and time; tenant 0 is the instance. */
export interface AuditLogTable {
  tenant_no: number;
  audit_id: string;
  at: number;
  /** Id of an API key, `operator`, `token` or `job`. */
  actor: string;
  /** Id of the requested operation. */
  action: string;
  object_id: string | null;
  /** JSON array of the given member names, never of values. */
  fields: string;
  /** SHA-256, hex. */
  digest_before: string | null;
  digest_after: string | null;
  /** `done`, `committed` if nothing is known about the rest, or an error code. */
  outcome: string;
  request_id: string | null;
}
