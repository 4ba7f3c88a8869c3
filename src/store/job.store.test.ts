import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../test/support/store-app.ts';
import { countJobs, failJob, finishJobs, leaseJobs, makeDue, nextRunAt, scheduleJobs } from './job.store.ts';

const LEASE_MS = 1_000;
const SETTLE = { kind: 'settle', leaseMs: LEASE_MS, owner: 'me' };

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const job = (key: string, runAt: number, tenantNo = 1) => ({ tenantNo, kind: 'settle', key, runAt });
const schedule = (...jobs: ReturnType<typeof job>[]) => scheduleJobs(store.db, jobs);
const lease = (now: number, limit = 100) => leaseJobs(store.db, { ...SETTLE, now, limit });
const keys = (jobs: { key: string }[]) => jobs.map(({ key }) => key);

describe('jobs', () => {
  it.each([
    ['not before they are due', 99, []],
    ['at their time', 100, ['a']],
    ['oldest first', 300, ['a', 'c', 'b']],
  ])('are leased %s', async (_name, now, leasedJobs) => {
    await schedule(job('b', 300), job('a', 100), job('c', 200));
    await schedule({ ...job('other', 0), kind: 'mail' });
    expect(keys(await lease(now))).toEqual(leasedJobs);
  });

  it('are leased up to the limit, oldest first', async () => {
    await schedule(job('b', 30), job('a', 10), job('c', 20));
    expect(keys(await lease(100, 2))).toEqual(['a', 'c']);
    expect(keys(await lease(100, 2))).toEqual(['b']);
  });

  it('are leased to one worker until the lease ends', async () => {
    await schedule(job('a', 0));
    expect(await lease(0)).toMatchObject([{ key: 'a', attempts: 1 }]);
    expect(await lease(LEASE_MS - 1)).toEqual([]);
    expect(await lease(LEASE_MS)).toMatchObject([{ key: 'a', attempts: 2 }]);
  });

  it('are leased to one process only under concurrent requests', async () => {
    const second = await store.openSecond();
    try {
      await schedule(...Array.from({ length: 300 }, (_, number) => job(`job ${number}`, number)));
      const leaseRequests = Array.from({ length: 60 }, (_, ask) =>
        leaseJobs(ask % 2 === 0 ? store.db : second.store.db, { ...SETTLE, now: 1_000, limit: 5 }),
      );
      const leasedJobs = (await Promise.all(leaseRequests)).flatMap(keys);
      expect(leasedJobs).toHaveLength(300);
      expect(new Set(leasedJobs).size).toBe(300);
    } finally {
      await second.close();
    }
  });

  it('are unique per key: rescheduling changes the time and resets the attempts', async () => {
    await schedule(job('a', 0));
    await lease(0);
    await schedule(job('a', 50));
    expect(await countJobs(store.db, 'settle')).toBe(1);
    expect(await lease(LEASE_MS)).toMatchObject([{ runAt: 50, attempts: 1 }]);
  });

  it('are separate per tenant', async () => {
    await schedule(job('a', 0, 1), job('a', 900, 2));
    await finishJobs(store.db, await lease(0));
    expect(await store.db.selectFrom('jobs').select(['tenant_no', 'run_at']).execute()).toEqual([
      { tenant_no: 2, run_at: 900 },
    ]);
  });

  it('are deleted when finished', async () => {
    await schedule(job('a', 0));
    await finishJobs(store.db, await lease(0));
    expect(await countJobs(store.db, 'settle')).toBe(0);
  });

  it.each([
    ['later', 40],
    ['for the same millisecond', 0],
  ])('that are rescheduled %s while running are kept and free', async (_name, runAt) => {
    await schedule(job('a', 0), job('b', 0));
    const leasedJobs = await lease(0);
    await schedule(job('a', runAt));
    await finishJobs(store.db, leasedJobs);
    expect(keys(await lease(40))).toEqual(['a']);
  });

  it('that failed wait for their retry and store the error', async () => {
    await schedule(job('a', 0));
    const [leasedJobs] = await lease(0);
    await failJob(store.db, leasedJobs!, { error: 'out of memory', retryAt: 500, isCounted: true });
    expect(await lease(499)).toEqual([]);
    expect(await store.db.selectFrom('jobs').select('last_error').execute()).toEqual([{ last_error: 'out of memory' }]);
    expect(await lease(500)).toMatchObject([{ key: 'a', attempts: 2 }]);
  });

  it.each([
    ['none', [], null],
    ['the earliest', [job('a', 700), job('b', 600)], 600],
    ['without leased jobs', [job('a', 0), job('b', 600)], 600],
    ['none if all are leased', [job('a', 0)], null],
  ])('have a next due time: %s', async (_name, jobs, next) => {
    await schedule(...jobs);
    await lease(0);
    expect(await nextRunAt(store.db, 'settle', 10)).toBe(next);
  });

  it('become due at once for one tenant by makeDue', async () => {
    await schedule(job('a', 900, 1), job('b', 900, 2), job('c', 3, 1));
    await makeDue(store.db, 'settle', 1, 10);
    expect(keys(await lease(10)).sort()).toEqual(['a', 'c']);
    expect(await store.db.selectFrom('jobs').select('run_at').where('key', '=', 'c').execute()).toEqual([
      { run_at: 3 },
    ]);
  });
});
