export interface JobTable {
  tenant_no: number;
  kind: string;
  key: string;
  run_at: number;
  attempts: number;
  /** 0 for live work, 1 for history. */
  priority: number;
  /** Until when a worker has it; 0 while free. */
  leased_until: number;
  /** The process that has it. */
  lease_owner: string | null;
  last_error: string | null;
}

/** A process that holds leases. Its work is taken over once it is gone. */
export interface LeaseOwnerTable {
  owner_id: string;
  host: string;
  pid: number;
  /** Start time of the process as the system counts it; empty where the system does not say. */
  process_start: string;
  /** Grows while the process lives. */
  heartbeat: number;
}
