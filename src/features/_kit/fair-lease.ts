import type { Db } from '../../store/connection.ts';
import {
  JOB_PRIORITIES,
  type LeasedJob,
  type LeaseRequest,
  leaseJobs,
  tenantsWithDueJobs,
} from '../../store/job.store.ts';
import type { FairShare } from './fair-share.ts';

export interface FairLeaseRequest extends Omit<LeaseRequest, 'tenantNo' | 'priority' | 'first'> {
  /** Recent use by tenant on the monotonic clock: the least use goes first. */
  share: FairShare<number>;
  /** How many more jobs this tenant may lease. */
  freeSlotsOf(tenantNo: number): number;
  /** How many of `limit` may be history. Omitted: all. */
  historyLimit?: number;
  /** Counts the requests, so that requests for one job alternate between an old and a new one. Omitted: 0. */
  turn?: number;
}

/**
 * Leases due jobs, live ones before history, and within each the tenants with the least recent use first. Half of the live
 * jobs of a tenant are its newest: new work does not wait behind the tenant's own backlog.
 */
export async function leaseFairly(db: Db, request: FairLeaseRequest): Promise<LeasedJob[]> {
  const { share, freeSlotsOf, historyLimit = request.limit, turn = 0, ...lease } = request;
  const jobs: LeasedJob[] = [];
  for (const priority of Object.values(JOB_PRIORITIES)) {
    const jobLimit =
      priority === JOB_PRIORITIES.history ? Math.min(request.limit, jobs.length + historyLimit) : request.limit;
    if (jobs.length >= jobLimit) continue;
    const tenants = await tenantsWithDueJobs(db, { kind: lease.kind, priority, now: lease.now });
    for (const [at, tenantNo] of share.inOrder(tenants, performance.now()).entries()) {
      const leasedCount = jobs.filter((job) => job.tenantNo === tenantNo).length;
      const evenShare = Math.ceil((jobLimit - jobs.length) / (tenants.length - at));
      const limit = Math.min(evenShare, freeSlotsOf(tenantNo) - leasedCount);
      const newest = priority === JOB_PRIORITIES.live ? Math.floor((limit + (turn % 2)) / 2) : 0;
      const counts = { oldest: limit - newest, newest };
      for (const first of ['oldest', 'newest'] as const)
        if (counts[first] > 0)
          jobs.push(...(await leaseJobs(db, { ...lease, limit: counts[first], tenantNo, priority, first })));
      if (jobs.length >= jobLimit) break;
    }
  }
  return jobs;
}
