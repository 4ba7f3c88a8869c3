/** A change that a detection asks for, from its plan to its rollback. */
export interface HealingOperationTable {
  tenant_no: number;
  operation_id: string;
  detection_id: string;
  /** Null where the change was given with the operation. */
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
  /** What was begun last: `apply` or `rollback`; null before. */
  action: string | null;
  /** JSON array of the fix's changes. */
  changes: string;
  /** What stood at the target when it was planned, and what is to stand there; null where it is done by hand. */
  content_before: string | null;
  content_after: string | null;
  /** JSON array. */
  approvals: string;
  /** JSON of the last look at the target. */
  verification: string | null;
  error: string | null;
  /** What people said of it. */
  note: string | null;
  /** Who executes it: an outcome under another token is refused. Null while it is in somebody's hands. */
  lease_token: string | null;
  /** The process that has the lease. */
  lease_holder: string | null;
  leased_until: number | null;
  created_by: string | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  applied_at: number | null;
  rolled_back_at: number | null;
}

/** Who changed what, and when; tenant 0 stands for the instance. */
export interface AuditLogTable {
  tenant_no: number;
  audit_id: string;
  at: number;
  /** Id of an API key, `operator`, `token` or `job`. */
  actor: string;
  /** Id of the operation that was asked for. */
  action: string;
  object_id: string | null;
  /** JSON array of the names that were given, never of values. */
  fields: string;
  /** SHA-256, hex. */
  digest_before: string | null;
  digest_after: string | null;
  /** `done`, `committed` where nothing is known of the rest, or an error code. */
  outcome: string;
  request_id: string | null;
}
