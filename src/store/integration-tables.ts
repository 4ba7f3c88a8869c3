/** Something of another platform that a tenant has registered: an instance, an app, a workflow. */
export interface RegistrationTable {
  tenant_no: number;
  registration_id: string;
  integration: string;
  /** What it is within its integration. */
  kind: string;
  /** Registration that it belongs to. */
  parent_id: string | null;
  /** Its id on its own platform. */
  external_id: string | null;
  name: string;
  description: string | null;
  url: string | null;
  /** JSON object of what else is known of it. */
  details: string;
  /** JSON of credentials and the webhook's secret, sealed. */
  secrets: string | null;
  /** JSON array: which credentials it has. */
  secret_names: string;
  is_signed: number;
  /** SHA-256 of the token in its webhook's address, hex; null where it has none. */
  token_hash: string | null;
  last_event_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface WebhookNonceTable {
  tenant_no: number;
  nonce: string;
  seen_at: number;
}

/** How far the runs of a registered instance were read. Runs are listed newest first, so a pass goes back in time. */
export interface PlatformSyncTable {
  tenant_no: number;
  registration_id: string;
  /** `idle`, `queued`, `running`, `waiting` or `failed`. */
  status: string;
  is_alerting: number;
  /** Runs that began before are left; null takes all. */
  since_ms: number | null;
  /** Where the pass under way goes on. */
  page_cursor: string | null;
  /** Newest run at the beginning of the pass under way. */
  newest_seen: string | null;
  /** Everything up to this run was taken by passes before. */
  newest_taken: string | null;
  /** JSON array of runs that had not ended when they were read. */
  open_runs: string;
  runs_read: number;
  runs_taken: number;
  runs_refused: number;
  /** Tries in a row that failed. */
  attempts: number;
  failure: string | null;
  lease_token: string | null;
  leased_until: number;
  lease_owner: string | null;
  /** When it is to be worked on; null while nothing is to be done. */
  run_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
}
