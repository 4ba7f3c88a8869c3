import type { PlatformSyncTable } from '../../store/integration-tables.ts';

/** The initial row of a registration that was never synced. */
export function emptySync(tenantNo: number, registrationId: string): PlatformSyncTable {
  return {
    tenant_no: tenantNo,
    registration_id: registrationId,
    status: 'queued',
    is_alerting: 0,
    since_ms: null,
    page_cursor: null,
    newest_seen: null,
    newest_taken: null,
    open_runs: '[]',
    runs_read: 0,
    runs_taken: 0,
    runs_refused: 0,
    attempts: 0,
    failure: null,
    lease_token: null,
    leased_until: 0,
    lease_owner: null,
    run_at: null,
    started_at: null,
    finished_at: null,
    updated_at: 0,
  };
}
