import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { leaseJobs, scheduleJobs } from '../../store/job.store.ts';
import { LeaseManager } from './lease-manager.ts';
import { type ProcessIdentity, thisProcess } from './process-identity.ts';

const NO_PROCESS = 2 ** 22 + 1;
const LEASE = { kind: 'settle', now: 1_000, leaseMs: 120_000, limit: 10 };

let store: StoreApp;
let now: number;
beforeEach(async () => {
  now = 0;
  store = await openStoreApp();
});
afterEach(() => store.close());

const keeperOf = (me: Partial<ProcessIdentity>) =>
  new LeaseManager({ db: store.db, me: { ...thisProcess(), ...me }, monotonicNow: () => now });

/** Another process takes a job, an import, a deletion, a sync and an idempotency key. */
async function leaseWork(owner: string): Promise<void> {
  await scheduleJobs(store.db, [{ tenantNo: 1, kind: 'settle', key: 'a', runAt: 0 }]);
  await leaseJobs(store.db, { ...LEASE, owner });
  const row = { tenant_no: 1, idempotency_key: 'k', request_hash: 'h', created_at: 0, status: null, response: null };
  await store.db
    .insertInto('idempotency_keys')
    .values([
      { ...row, lease_owner: owner },
      { ...row, idempotency_key: 'answered', status: 200, response: '{}', lease_owner: owner },
    ])
    .execute();
}
const keys = async () => (await store.db.selectFrom('idempotency_keys').selectAll().orderBy('idempotency_key').execute()).map((row) => row.idempotency_key); // biome-ignore format: one row
const freeJobs = async () => (await leaseJobs(store.db, { ...LEASE, owner: 'next' })).map(({ key }) => key);

describe('the work of another process', () => {
  it.each<[string, Partial<ProcessIdentity>, number, boolean]>([
    ['that has ended is free at once', { pid: NO_PROCESS }, 0, true],
    ['whose pid is in use again is free at once', { processStart: '1' }, 0, true],
    ['that runs stays its own, however silent it is', {}, 60_000, false],
    ['on another machine stays its own while it may live', { host: 'elsewhere' }, 9_999, false],
    ['on another machine that is silent is free', { host: 'elsewhere' }, 10_000, true],
  ])('%s', async (_name, other, afterMs, isFree) => {
    const owner = await keeperOf(other).owner();
    await leaseWork(owner);
    const mine = keeperOf({});
    await mine.owner();
    const first = await mine.tick();
    now = afterMs;
    const released = first + (await mine.tick());
    expect(released).toBe(isFree ? 2 : 0);
    expect(await freeJobs()).toEqual(isFree ? ['a'] : []);
    expect(await keys()).toEqual(isFree ? ['answered'] : ['answered', 'k']);
  });

  it('on another machine keeps its lease while its heartbeat continues', async () => {
    const other = keeperOf({ host: 'elsewhere' });
    await leaseWork(await other.owner());
    const mine = keeperOf({});
    await mine.owner();
    for (let at = 0; at < 60_000; at += 2_000) {
      now = at;
      expect(await mine.tick()).toBe(0);
      await other.tick();
    }
  });
});

describe('this process', () => {
  it('names itself again when another one took it for ended', async () => {
    const mine = keeperOf({});
    const owner = await mine.owner();
    await store.db.deleteFrom('lease_owners').execute();
    await mine.tick();
    const rows = await store.db.selectFrom('lease_owners').selectAll().execute();
    expect(rows).toMatchObject([{ owner_id: owner, host: hostname(), pid: process.pid }]);
  });

  it('writes nothing while it is alone on its machine', async () => {
    const mine = keeperOf({});
    await mine.owner();
    const before = store.app.store.changeMark();
    for (let at = 0; at < 5; at += 1) await mine.tick();
    expect(store.app.store.changeMark()).toBe(before);
  });

  it('releases its leases when it closes', async () => {
    const mine = keeperOf({});
    await leaseWork(await mine.owner());
    await mine.close();
    expect(await freeJobs()).toEqual(['a']);
  });
});
