import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import {
  newestRuns,
  newestStart,
  saveRanks,
  type Traffic,
  type TrafficRow,
  unrankedRuns,
} from '../../store/failure-rank.store.ts';
import { failJob, finishJobs, type LeasedJob, makeDue, nextRunAt, scheduleSoonest } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { inTransaction } from '../../store/transaction.ts';
import { leaseFairly } from '../_kit/fair-lease.ts';
import { FairShare } from '../_kit/fair-share.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { changedRanks } from './changed-ranks.ts';
import { RANK_JOB } from './schedule-ranking.ts';

/** Ranks stored runs within their traffic group, in the background. */
export interface FailureRankService {
  /** Ranks the runs of up to `limit` due traffic groups, fair between tenants. @returns the number of groups */
  runDue(limit: number): Promise<number>;
  /** Ranks the runs of every queued traffic group of the tenant, due or not, for one-shot commands. */
  runAllNow(tenantId: string): Promise<void>;
  /** Unix milliseconds when the next group is due; null if none is queued. */
  nextDueAt(): Promise<number | null>;
}

/** Comparison runs, the newest of the traffic group, and the maximum runs without a rank per job. */
const WINDOW_RUNS = 500;
const BATCH_RUNS = 500;
const PERIOD_MS = 30 * 24 * 3_600_000;
/** Tolerated clock skew of a sender; runs that begin later are skipped. */
const CLOCK_AHEAD_MS = 24 * 3_600_000;
const LEASE_MS = 60_000;
const RETRY_MS = 300_000;
const GROUPS_PER_RUN = 50;

export function createFailureRankService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  leases: Pick<LeaseManager, 'owner'>;
  onProblem(subject: string, problem: string): void;
}): FailureRankService {
  const { db, clock } = options;
  /** Time spent on each tenant's ranks, by tenant number. */
  const share = new FairShare<number>();

  async function runSome(limit: number, tenantNo?: number): Promise<number> {
    const owner = await options.leases.owner();
    const freeSlotsOf = (each: number) => (tenantNo === undefined || each === tenantNo ? limit : 0);
    const jobs = await leaseFairly(db, {
      kind: RANK_JOB,
      now: clock.now(),
      leaseMs: LEASE_MS,
      limit,
      owner,
      share,
      freeSlotsOf,
    });
    for (const job of jobs) {
      // Yields to the event loop between two groups.
      await new Promise(setImmediate);
      const startedAt = performance.now();
      await runJob(job);
      share.charge(job.tenantNo, performance.now() - startedAt, performance.now());
    }
    return jobs.length;
  }

  async function runJob(job: LeasedJob): Promise<void> {
    try {
      await rank(job);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const isCounted = !isTransient(error);
      if (isCounted) options.onProblem('failure ranks', message);
      await failJob(db, job, { error: message, retryAt: clock.now() + RETRY_MS, isCounted });
    }
  }

  /** Reads and ranks outside the transaction, so that no writer waits. */
  async function rank(job: LeasedJob): Promise<void> {
    const { tenantNo, key } = job;
    const { window, waiting } = await readRuns(db, { tenantNo, traffic: key }, clock.now());
    const changed = changedRanks(window, waiting);
    await inTransaction(db, async (transaction) => {
      await saveRanks(transaction, tenantNo, changed);
      await finishJobs(transaction, [job]);
      if (changed.length > 0 && waiting.length === BATCH_RUNS)
        await scheduleSoonest(transaction, [{ tenantNo, kind: RANK_JOB, key, runAt: clock.now() }]);
    });
  }

  return {
    runDue: (limit) => runSome(limit),
    async runAllNow(tenantId) {
      const tenantNo = await options.tenantNoOf(tenantId);
      await makeDue(db, RANK_JOB, tenantNo, clock.now());
      while ((await runSome(GROUPS_PER_RUN, tenantNo)) > 0);
    },
    nextDueAt: () => nextRunAt(db, RANK_JOB, clock.now()),
  };
}

interface TrafficRuns {
  /** The newest runs. */
  window: TrafficRow[];
  /** Older runs of the last 30 days without a rank; at the border also some of the window. */
  waiting: TrafficRow[];
}

/** The 30 days end with the newest run: imported history is ranked, too. */
async function readRuns(db: Db, traffic: Traffic, now: number): Promise<TrafficRuns> {
  const newest = await newestStart(db, traffic, now + CLOCK_AHEAD_MS);
  if (newest === null) return { window: [], waiting: [] };
  const from = newest - PERIOD_MS;
  const window = await newestRuns(db, traffic, { from, to: newest }, WINDOW_RUNS);
  const to = window.at(-1)?.started_at ?? newest;
  return { window, waiting: await unrankedRuns(db, traffic, { from, to }, BATCH_RUNS) };
}
