/** A resource of another platform that a tenant has registered: an instance, an app, a workflow. */
export interface RegistrationTable {
  tenant_no: number;
  registration_id: string;
  integration: string;
  /** Its kind within the integration. */
  kind: string;
  /** The registration that it belongs to. */
  parent_id: string | null;
  /** Its id on its own platform. */
  external_id: string | null;
  name: string;
  description: string | null;
  url: string | null;
  /** JSON object of further details. */
  details: string;
  /** JSON of credentials and the webhook's secret, encrypted. */
  secrets: string | null;
  /** JSON array: the credentials that are set. */
  secret_names: string;
  is_signed: number;
  /** SHA-256 of the token in its webhook URL, hex; null if it has none. */
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

/** Sync state of a registered instance. Runs are listed newest first, so a sync run goes back in time. */
export interface PlatformSyncTable {
  tenant_no: number;
  registration_id: string;
  /** `idle`, `queued`, `running`, `waiting` or `failed`. */
  status: string;
  is_alerting: number;
  /** Runs that began earlier are skipped; null fetches all. */
  since_ms: number | null;
  /** Cursor of the current sync run. */
  page_cursor: string | null;
  /** Newest run at the beginning of the current sync run. */
  newest_seen: string | null;
  /** Everything up to this run was fetched by earlier sync runs. */
  newest_taken: string | null;
  /** JSON array of runs that had not ended when they were fetched. */
  open_runs: string;
  runs_read: number;
  runs_taken: number;
  runs_refused: number;
  /** Consecutive failed attempts. */
  attempts: number;
  failure: string | null;
  lease_token: string | null;
  leased_until: number;
  lease_owner: string | null;
  /** When it is due; null if nothing is to be done. */
  run_at: number | null;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
}
