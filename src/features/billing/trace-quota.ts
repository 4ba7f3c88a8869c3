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
  assertRoom(tenantNo: number): Promise<void>;
  recordNew(tenantNo: number, traces: number): void;
  /** The plan may have changed. */
  forget(tenantNo: number): void;
}

interface Held {
  day: string;
  plan: Plan;
  used: number;
  heldAt: number;
}

/** Delay until other processes' traces and plan changes are noticed. */
const HOLD_MS = 5_000;
const MAX_HELD = 10_000;

/** Counts in memory and reads the store once in five seconds, so that ingest never waits for it. */
export function createTraceQuota({ db, clock }: { db: Kysely<Database>; clock: Clock }): TraceQuota {
  const held = new Map<number, Held>();

  async function read(tenantNo: number, day: string): Promise<Held> {
    const before = held.get(tenantNo);
    if (before !== undefined && before.day !== day) await pruneDayTraces(db, tenantNo, day);
    const plan = await readPlan(db, tenantNo);
    const now = { day, plan, used: await readDayTraces(db, tenantNo, day), heldAt: clock.now() };
    held.set(tenantNo, now);
    if (held.size > MAX_HELD) held.delete(held.keys().next().value as number);
    return now;
  }

  return {
    async assertRoom(tenantNo) {
      const day = utcDay(clock.now());
      const known = held.get(tenantNo);
      const isFresh = known !== undefined && known.day === day && isWithin(known.heldAt, clock.now(), HOLD_MS);
      const { plan, used } = isFresh ? known : await read(tenantNo, day);
      const most = PLAN_QUOTAS[plan].tracesPerDay;
      if (most === null || used < most) return;
      throw new AppError(
        'quota_exceeded',
        `The quota traces_per_day of the plan "${plan}" is used up: ${most} traces. The count starts again at midnight UTC.`,
        { errors: [{ pointer: '', message: 'traces_per_day' }] },
      );
    },
    recordNew(tenantNo, traces) {
      const known = held.get(tenantNo);
      if (known) known.used += traces;
    },
    forget: (tenantNo) => void held.delete(tenantNo),
  };
}
