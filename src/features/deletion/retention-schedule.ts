import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Db } from '../../store/connection.ts';
import { readInstanceValue, writeInstanceValue } from '../../store/instance.store.ts';
import { hasOpenJob, insertOperationJob } from '../../store/operation-job.store.ts';
import type { Database } from '../../store/schema.ts';
import { eachTenantNo } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { newOperationJob } from './new-operation-job.ts';
import { ALL_TRACES } from './operation-job.record.ts';
import { pruneHistory } from './prune-history.ts';
import {
  assertWithinPlan,
  type RetentionBounds,
  type RetentionRecord,
  readRetention,
  toRetentionRecord,
  writeRetention,
} from './retention.ts';
import { isRetentionDue } from './retention-due.ts';

const DAY_MS = 86_400_000;
const RETENTION = 'retention';
const LAST_RETENTION = 'retention_scheduled_at';

/** How long each tenant keeps traces, and when the older ones are deleted. */
export class RetentionSchedule {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #defaultDays: number | null;
  readonly #retentionDaysOf: (db: Db, tenantNo: number, now: number) => Promise<number | null>;
  readonly #isClockSteady: () => boolean;
  /** As stored; undefined before it is read. */
  #lastRunAt: number | null | undefined;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    defaultRetentionDays: number | null;
    retentionDaysOf(db: Db, tenantNo: number, now: number): Promise<number | null>;
    isClockSteady(): boolean;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#defaultDays = options.defaultRetentionDays;
    this.#retentionDaysOf = options.retentionDaysOf;
    this.#isClockSteady = options.isClockSteady;
  }

  async get(tenantNo: number): Promise<RetentionRecord> {
    return toRetentionRecord(await readRetention(this.#db, tenantNo, await this.#boundsOf(tenantNo)));
  }

  async set(tenantNo: number, days: number | null | 'default'): Promise<RetentionRecord> {
    const bounds = await this.#boundsOf(tenantNo);
    if (days !== 'default') assertWithinPlan(days, bounds.planDays);
    await inTransaction(this.#db, (transaction) => writeRetention(transaction, tenantNo, days, this.#clock.now()));
    return toRetentionRecord(await readRetention(this.#db, tenantNo, bounds));
  }

  /** @returns how many tenants have a new job */
  async schedule(): Promise<number> {
    let count = 0;
    for await (const tenantNo of eachTenantNo(this.#db)) if (await this.#scheduleFor(tenantNo)) count += 1;
    return count;
  }

  /** Schedules, and prunes history, once a day while the clock is steady. @returns null if it is not due */
  async scheduleWhenDue(): Promise<number | null> {
    this.#lastRunAt ??= Number((await readInstanceValue(this.#db, LAST_RETENTION)) ?? 0) || null;
    const now = this.#clock.now();
    if (!this.#isClockSteady() || !isRetentionDue(this.#lastRunAt, now)) return null;
    const count = await this.schedule();
    await pruneHistory(this.#db, now);
    await writeInstanceValue(this.#db, LAST_RETENTION, String(now));
    this.#lastRunAt = now;
    return count;
  }

  async #scheduleFor(tenantNo: number): Promise<boolean> {
    const { days } = await readRetention(this.#db, tenantNo, await this.#boundsOf(tenantNo));
    if (days === null || (await hasOpenJob(this.#db, tenantNo, RETENTION))) return false;
    const now = this.#clock.now();
    const jobId = newId('job', this.#clock, this.#random);
    const input = { ...ALL_TRACES, receivedBefore: now - days * DAY_MS };
    await insertOperationJob(this.#db, newOperationJob({ tenantNo, jobId, kind: RETENTION, input }, now));
    return true;
  }

  async #boundsOf(tenantNo: number): Promise<RetentionBounds> {
    const planDays = await this.#retentionDaysOf(this.#db, tenantNo, this.#clock.now());
    return { defaultDays: this.#defaultDays, planDays };
  }
}
