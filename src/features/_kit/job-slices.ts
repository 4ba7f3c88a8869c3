import type { Db } from '../../store/connection.ts';
import {
  type JobLease,
  type JobRow,
  type JobTable,
  leaseJob,
  tenantsWithOpenJobs,
} from '../../store/job-lease.store.ts';
import { FairShare } from './fair-share.ts';

/** After this time a job yields to another tenant's job. */
const SLICE_MS = 1_000;

/** Time-slices long jobs of several tenants: each runs for a slice, the tenant with the least recent use first. */
export class JobSlices {
  readonly #share = new FairShare<number>();

  /** Leases the oldest free job of the next tenant; call it in a transaction. */
  async lease<Table extends JobTable>(db: Db, jobs: Table, lease: JobLease): Promise<JobRow<Table> | null> {
    const tenants = await tenantsWithOpenJobs(db, jobs, lease.now);
    for (const tenantNo of this.#share.inOrder(tenants, lease.now)) {
      const job = await leaseJob(db, jobs, lease, { tenantNo });
      if (job !== null) return job;
    }
    return null;
  }

  /** Records the time that `work` takes for the tenant. */
  async during<Result>(tenantNo: number, now: () => number, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#share.charge(tenantNo, performance.now() - startedAt, now());
    }
  }
}

/** Whether a job's slice is over and another tenant waits. */
export class Slice {
  readonly #startedAt = performance.now();
  readonly #isAnyoneWaiting: () => Promise<boolean>;

  constructor(isAnyoneWaiting: () => Promise<boolean>) {
    this.#isAnyoneWaiting = isAnyoneWaiting;
  }

  async isTimeUp(): Promise<boolean> {
    return performance.now() - this.#startedAt >= SLICE_MS && (await this.#isAnyoneWaiting());
  }
}
