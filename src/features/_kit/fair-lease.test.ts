import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { scheduleJobs } from '../../store/job.store.ts';
import { leaseFairly } from './fair-lease.ts';
import { FairShare } from './fair-share.ts';

const NOW = 1_000_000;

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

/** A thousand traces that became due long ago, and one that has just become due. */
async function scheduleBacklog({ isHistory = false } = {}): Promise<void> {
  const old = Array.from({ length: 1_000 }, (_, number) => ({
    tenantNo: 1,
    kind: 'settle',
    key: `old ${number}`,
    runAt: number,
    isHistory,
  }));
  await scheduleJobs(store.db, [...old, { tenantNo: 1, kind: 'settle', key: 'fresh', runAt: NOW - 1, isHistory }]);
}

async function leaseKeys(limit: number, turn = 0): Promise<string[]> {
  const share = new FairShare<number>();
  const request = { kind: 'settle', now: NOW, leaseMs: 1_000, owner: 'me', share, freeSlotsOf: () => limit };
  const jobs = await leaseFairly(store.db, { ...request, limit, turn });
  return jobs.map(({ key }) => key);
}

describe('leaseFairly', () => {
  it('leases the newest live work beside the oldest of a backlog', async () => {
    await scheduleBacklog();
    expect(await leaseKeys(4)).toEqual(['old 0', 'old 1', 'old 999', 'fresh']);
  });

  it('leases old and new work alternately if one place is free', async () => {
    await scheduleBacklog();
    expect([await leaseKeys(1, 0), await leaseKeys(1, 1), await leaseKeys(1, 2)]).toEqual([
      ['old 0'],
      ['fresh'],
      ['old 1'],
    ]);
  });

  it('leases history from its oldest on', async () => {
    await scheduleBacklog({ isHistory: true });
    expect(await leaseKeys(4)).toEqual(['old 0', 'old 1', 'old 2', 'old 3']);
  });

  it('leases everything in order if all places are free', async () => {
    await scheduleJobs(
      store.db,
      ['a', 'b', 'c'].map((key, runAt) => ({ tenantNo: 1, kind: 'settle', key, runAt })),
    );
    expect(await leaseKeys(5)).toEqual(['a', 'b', 'c']);
  });
});
