import type { ColumnType, Generated } from 'kysely';
import type { DailyFigureTable, WorkflowGroupTable, WorkflowTable } from './analytics-tables.ts';
import type { ImportErrorTable, ImportJobTable, ImportTraceTable, OperationJobTable } from './background.schema.ts';
import type { BillingEventTable, SubscriptionTable } from './billing-tables.ts';
import type { FeedbackTable } from './feedback-tables.ts';
import type { FigureTable, VendorFlushTable } from './figure-tables.ts';
import type { AuditLogTable, HealingOperationTable } from './healing-tables.ts';
import type { PlatformSyncTable, RegistrationTable, WebhookNonceTable } from './integration-tables.ts';
import type { JobTable, LeaseOwnerTable } from './job-tables.ts';
import type { JudgeAnswerTable, JudgeUsageTable } from './judge-tables.ts';
import type { SignInLinkTable, WebSessionTable } from './session-tables.ts';

/**
 * Tables as Kysely sees them. Times are Unix milliseconds, booleans 0 or 1, JSON is text.
 * `tenant_no` is the tenant's small number inside the database: every key begins with it.
 */
export interface Database {
  tenants: TenantTable;
  api_keys: ApiKeyTable;
  signing_keys: SigningKeyTable;
  web_sessions: WebSessionTable;
  sign_in_links: SignInLinkTable;
  traces: TraceTable;
  trace_agents: TraceAgentTable;
  agents: AgentTable;
  span_chunks: SpanChunkTable;
  conversations: ConversationTable;
  detections: DetectionTable;
  feedback: FeedbackTable;
  issues: IssueTable;
  jobs: JobTable;
  lease_owners: LeaseOwnerTable;
  outbox: OutboxTable;
  alerts: AlertTable;
  alert_messages: AlertMessageTable;
  alert_deliveries: AlertDeliveryTable;
  alert_folds: AlertFoldTable;
  idempotency_keys: IdempotencyTable;
  drained_files: DrainedFileTable;
  instance: InstanceTable;
  settings: SettingTable;
  calibration_samples: CalibrationSampleTable;
  judge_answers: JudgeAnswerTable;
  judge_usage: JudgeUsageTable;
  figures: FigureTable;
  vendor_flushes: VendorFlushTable;
  subscriptions: SubscriptionTable;
  billing_events: BillingEventTable;
  daily_figures: DailyFigureTable;
  workflows: WorkflowTable;
  workflow_groups: WorkflowGroupTable;
  import_jobs: ImportJobTable;
  import_traces: ImportTraceTable;
  import_errors: ImportErrorTable;
  operation_jobs: OperationJobTable;
  healing_operations: HealingOperationTable;
  audit_log: AuditLogTable;
  registrations: RegistrationTable;
  webhook_nonces: WebhookNonceTable;
  platform_syncs: PlatformSyncTable;
}

type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;

export interface TenantTable {
  tenant_no: Generated<number>;
  tenant_id: string;
  name: string;
  created_at: number;
}

export interface ApiKeyTable {
  tenant_no: number;
  key_id: string;
  name: string;
  /** SHA-256 of the secret part, hex. */
  secret_hash: string;
  /** Space-separated. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface SigningKeyTable {
  kid: string;
  /** 32 random bytes, base64url. */
  secret: string;
  created_at: number;
  retired_at: number | null;
}

export interface TraceTable {
  tenant_no: number;
  trace_id: string;
  framework: string;
  service_name: string | null;
  name: string;
  task: string | null;
  status: string;
  session_id: string | null;
  thread_id: string | null;
  started_at: number;
  ended_at: number | null;
  span_count: number;
  state_count: number;
  /** JSON arrays of names. */
  agent_ids: string;
  /** `started_at` of the trace in `trace_agents`; null before its first analysis. */
  listed_at: number | null;
  models: string;
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  detection_count: number;
  max_severity: string | null;
  quality_score: number | null;
  /** Arrival order of the newest chunk; an analysis is valid for the version it read. */
  version: number;
  analyzed_version: number | null;
  /** The root span's name. */
  root_seen: number;
  root_ended: number;
  is_settled: number;
  /** Received only as history, which triggers no alerts. */
  is_history: number;
  /** JSON of TraceFigures: its contribution to the daily figures and its workflow; null before its first analysis. */
  figures: string | null;
  /** UTC day under which it is counted in the daily figures, counted from 1970-01-01. */
  figures_day: number | null;
  workflow_id: string | null;
  /** Why and when its analysis failed permanently; null if it did not. */
  given_up_reason: string | null;
  given_up_at: number | null;
  /** JSON array of detectors that the last analysis skipped, with the reason; null if it ran all of them. */
  left_out: string | null;
  /** Columns of a coding agent's session; `ended_by` is null for every other trace and before the first analysis. */
  title: string | null;
  /** Root folder of the project. */
  project: string | null;
  branch: string | null;
  /** One of core's `SessionEnd`. */
  ended_by: string | null;
  /** JSON of SessionDigest. */
  session_digest: string | null;
  /** Only a coding agent's own bookkeeping, not a run: neither listed by default nor analyzed. */
  is_bookkeeping: number;
  /** Key of the traffic group that it is ranked in; null before it has settled. */
  traffic: string | null;
  /** JSON array of the run's risk features, which it is ranked by; null before it has settled. */
  risk_columns: string | null;
  /** Rank within its traffic in hundredths; -1 if it is not ranked. */
  rank_percent: number;
  /** Time of the last analysis, otherwise of the arrival of its first span. */
  updated_at: number;
}

export interface TraceAgentTable {
  tenant_no: number;
  agent_id: string;
  trace_id: string;
  started_at: number;
  step_count: number;
  tokens_used: number;
  latency_sum_ms: number;
  latency_count: number;
  last_active_at: number;
}

export interface AgentTable {
  tenant_no: number;
  agent_id: string;
  step_count: number;
  tokens_used: number;
  latency_sum_ms: number;
  latency_count: number;
  last_active_at: number;
}

export interface SpanChunkTable {
  tenant_no: number;
  trace_id: string;
  /** Arrival order across the instance; a later chunk takes precedence over an earlier one. */
  sequence: number;
  /** `sequence` of the first arrival of this content; differs from it after a re-send. */
  first_sequence: number;
  /** First 8 bytes of SHA-256 over the content: an exact re-send updates its own row. */
  content_hash: Bytes;
  span_count: number;
  data: Bytes;
}

/** A trace that was sent as a conversation; its turns are read from the spans. */
export interface ConversationTable {
  tenant_no: number;
  conversation_id: string;
  trace_id: string;
  format: string;
  framework: string;
  /** JSON array of names. */
  participants: string;
  turn_count: number;
  total_tokens: number;
  /** Start time or, if no turn has a time, time of arrival. */
  started_at: number;
  ended_at: number | null;
  /** Hash of the last received body; null if it came as spans. */
  content_hash: string | null;
  created_at: number;
}

export interface DetectionTable {
  tenant_no: number;
  detection_id: string;
  trace_id: string;
  conversation_id: string | null;
  detection_type: string;
  subtype: string;
  first_span_id: string;
  agent_id: string | null;
  step: number | null;
  confidence: number;
  severity: string;
  tier: string;
  is_calibrated: number;
  fingerprint: string;
  issue_id: string | null;
  wasted_tokens: number;
  wasted_cost_usd: number;
  /** JSON of the core Detection. */
  body: string;
  validated: number;
  is_valid: number | null;
  feedback: string | null;
  validated_at: number | null;
  /** The newest feedback on it, which the four columns above repeat. */
  feedback_id: string | null;
  /** JSON of AppliedFixes: recorded applications, by fix id. */
  applied_fixes: string | null;
  withdrawn_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface IssueTable {
  tenant_no: number;
  issue_id: string;
  fingerprint: string;
  detection_type: string;
  subtype: string;
  agent_id: string | null;
  title: string;
  severity: string;
  status: string;
  first_seen_at: number;
  last_seen_at: number;
  resolved_at: number | null;
  /** Null: no detection counts for it any more, so it resolved itself. */
  resolved_by: string | null;
  /** When a person resolved it; kept while it is open because it recurred. */
  last_resolved_at: number | null;
  /** When a person last set the status; null: nobody has. */
  triaged_at: number | null;
  /** It recurred after it was resolved. */
  regressed_at: number | null;
  ignored_at: number | null;
  /** Both null: ignored until a person reopens it. */
  ignored_until: number | null;
  ignored_runs_left: number | null;
}

export interface OutboxTable {
  tenant_no: number;
  outbox_id: string;
  kind: string;
  /** Null if it concerns no trace. */
  trace_id: string | null;
  payload: string;
  created_at: number;
  deliver_after: number;
  attempts: number;
  delivered_at: number | null;
}

export interface AlertTable {
  tenant_no: number;
  alert_id: string;
  /** `detection`, `follow_up` for repeats, or `withdrawal` after an alert. */
  kind: string;
  /** `held`, `sent` or `dropped`. */
  state: string;
  /** Why it was held or dropped. */
  reason: string | null;
  detection_id: string;
  issue_id: string | null;
  severity: string;
  /** JSON of the core AlertItem. */
  item: string;
  /** Number of detections that a follow-up counts; 0 for a detection's own alert. */
  repeats: number;
  /** Start of the interval that a follow-up counts. */
  folded_from: number | null;
  /** When a held alert is processed again. */
  release_at: number | null;
  /** The message that contained it; several share a digest. */
  message_id: string | null;
  created_at: number;
}

export interface AlertMessageTable {
  tenant_no: number;
  message_id: string;
  /** JSON of the core AlertContent. */
  content: string;
  created_at: number;
}

export interface AlertDeliveryTable {
  tenant_no: number;
  message_id: string;
  channel: string;
  /** Mail address; empty for channels that have one receiver. */
  target: string;
  /** `pending`, `delivered`, `failed` or `cancelled`. */
  state: string;
  attempts: number;
  next_at: number;
  /** End of the lease; 0 while free. */
  leased_until: number;
  lease_owner: string | null;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
}

/** Repeats of one issue that are collected for one follow-up. */
export interface AlertFoldTable {
  tenant_no: number;
  fold_key: string;
  /** Highest severity that was already sent. */
  severity: string;
  repeats: number;
  /** JSON of the latest AlertItem. */
  item: string;
  opened_at: number;
  closes_at: number;
}

export interface IdempotencyTable {
  tenant_no: number;
  idempotency_key: string;
  request_hash: string;
  /** Null while the first request still runs. */
  status: number | null;
  response: string | null;
  /** The process that runs the first request. */
  lease_owner: string | null;
  created_at: number;
}

export interface DrainedFileTable {
  name: string;
  drained_at: number;
}

export interface SettingTable {
  tenant_no: number;
  name: string;
  /** JSON. */
  value: string;
  updated_at: number;
}

export interface CalibrationSampleTable {
  tenant_no: number;
  trace_id: string;
  framework: string;
  /** When the trace was first analyzed. */
  seen_at: number;
  /** JSON: the highest confidence by `type/subtype`, fired or not. */
  signals: string;
  /** JSON array of the run's risk features; null if they were not computed. */
  risk_columns: string | null;
}

export interface InstanceTable {
  name: string;
  value: string;
}
