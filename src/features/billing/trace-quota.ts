import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { pruneDayTraces, readDayTraces } from '../../store/figure.store.ts';
import type { Database } from '../../store/schema.ts';
import { utcDay } from '../metrics/figure-growth.ts';
import { PLAN_QUOTAS, type Plan } from './plans.ts';
import { readPlan } from './tenant-plan.ts';

/** Limits the traces per tenant and UTC day by plan. */
export interface TraceQuota {
  /** @throws AppError `quota_exceeded` once the day's traces are used up */
  assertQuota(tenantNo: number): Promise<void>;
  recordNew(tenantNo: number, traces: number): void;
  /** The plan may have changed. */
  forget(tenantNo: number): void;
}

interface CachedUsage {
  day: string;
  plan: Plan;
  used: number;
  cachedAt: number;
}

/** Delay until other processes' traces and plan changes are noticed. */
const TTL_MS = 5_000;
const MAX_CACHED = 10_000;

/** Counts in memory and reads the store once in five seconds, so that ingest never waits for it. */
export function createTraceQuota({ db, clock }: { db: Kysely<Database>; clock: Clock }): TraceQuota {
  const cache = new Map<number, CachedUsage>();

  async function read(tenantNo: number, day: string): Promise<CachedUsage> {
    const before = cache.get(tenantNo);
    if (before !== undefined && before.day !== day) await pruneDayTraces(db, tenantNo, day);
    const plan = await readPlan(db, tenantNo);
    const now = { day, plan, used: await readDayTraces(db, tenantNo, day), cachedAt: clock.now() };
    cache.set(tenantNo, now);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value as number);
    return now;
  }

  return {
    async assertQuota(tenantNo) {
      const day = utcDay(clock.now());
      const cached = cache.get(tenantNo);
      const isFresh = cached !== undefined && cached.day === day && isWithin(cached.cachedAt, clock.now(), TTL_MS);
      const { plan, used } = isFresh ? cached : await read(tenantNo, day);
      const limit = PLAN_QUOTAS[plan].tracesPerDay;
      if (limit === null || used < limit) return;
      throw new AppError(
        'quota_exceeded',
        `The quota traces_per_day of the plan "${plan}" is used up: ${limit} traces. The count starts again at midnight UTC.`,
        { errors: [{ pointer: '', message: 'traces_per_day' }] },
      );
    },
    recordNew(tenantNo, traces) {
      const cached = cache.get(tenantNo);
      if (cached) cached.used += traces;
    },
    forget: (tenantNo) => void cache.delete(tenantNo),
  };
}
