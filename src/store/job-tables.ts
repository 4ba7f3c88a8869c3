export interface JobTable {
  tenant_no: number;
  kind: string;
  key: string;
  run_at: number;
  attempts: number;
  /** 0 for live work, 1 for history. */
  priority: number;
  /** End of the lease; 0 while free. */
  leased_until: number;
  /** The process that holds the lease. */
  lease_owner: string | null;
  last_error: string | null;
}

/** A process that holds leases. Its work is released after it has ended. */
export interface LeaseOwnerTable {
  owner_id: string;
  host: string;
  pid: number;
  /** The operating system's start time of the process; empty if it is not available. */
  process_start: string;
  /** Heartbeat counter. */
  heartbeat: number;
}
