import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { scheduleJobs } from '../../store/job.store.ts';
import { ClockMonitor } from './clock-monitor.ts';

const START = Date.UTC(2026, 0, 15, 12);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let store: StoreApp;
let wall: number;
let monotonic: number;
beforeEach(async () => {
  wall = START;
  monotonic = 0;
  store = await openStoreApp();
});
afterEach(() => store.close());

const startWatch = () => new ClockMonitor({ db: store.db, clock: { now: () => wall }, monotonicNow: () => monotonic });
const pass = (ms: number) => {
  wall += ms;
  monotonic += ms;
};
const schedule = (kind: string, runAt: number) => scheduleJobs(store.db, [{ tenantNo: 1, kind, key: 'a', runAt }]);
const waitMs = async () => (await store.db.selectFrom('jobs').select('run_at').executeTakeFirstOrThrow()).run_at - wall;

describe('work that waits when the clock steps', () => {
  it.each([
    ['an hour back', -HOUR, 20 * SECOND, 20 * SECOND],
    ['a minute back', -60 * SECOND, 20 * SECOND, 20 * SECOND],
    ['to 1970', -START, 20 * SECOND, 20 * SECOND],
    ['back, being due already', -HOUR, -5 * SECOND, 0],
    ['less than a second back', -900, 20 * SECOND, 20 * SECOND + 900],
    ['a day forwards', DAY, 20 * SECOND, 20 * SECOND - DAY],
  ])('%s', async (_name, step, dueInMs, expected) => {
    const watch = startWatch();
    await watch.tick();
    await schedule('judge', wall + dueInMs);
    wall += step;
    await watch.tick();
    expect(await waitMs()).toBe(expected);
  });

  it('keeps its delay through a step forwards and back', async () => {
    const watch = startWatch();
    await watch.tick();
    wall += DAY;
    await watch.tick();
    await schedule('settle', wall + 2 * SECOND);
    wall -= DAY;
    await watch.tick();
    expect(await waitMs()).toBe(2 * SECOND);
  });

  it('is not moved while the clock runs well', async () => {
    const watch = startWatch();
    await schedule('settle', wall + 30 * SECOND);
    await watch.tick();
    pass(2 * SECOND);
    expect(await watch.tick()).toBe(0);
    expect(await waitMs()).toBe(28 * SECOND);
  });

  it('counts small steps together', async () => {
    const watch = startWatch();
    await watch.tick();
    await schedule('settle', wall + 30 * SECOND);
    for (let step = 0; step < 2; step += 1) {
      wall -= 600;
      await watch.tick();
    }
    expect(await waitMs()).toBe(30 * SECOND);
  });
});

describe('work that was stored by a clock that ran ahead', () => {
  it.each([
    ['a trace that settles', 'settle', HOUR, 0],
    ['one that settles in time', 'settle', 30 * SECOND, 30 * SECOND],
    ['a question to the judge', 'judge', DAY, 0],
    ['a question that waits for a pause', 'judge', 600 * SECOND, 600 * SECOND],
  ])('%s', async (_name, kind, dueInMs, expected) => {
    await schedule(kind, wall + dueInMs);
    await startWatch().tick();
    expect(await waitMs()).toBe(expected);
  });

  it('without a known lease owner is free', async () => {
    await schedule('settle', wall);
    await store.db
      .updateTable('jobs')
      .set({ leased_until: wall + DAY, lease_owner: null })
      .execute();
    await startWatch().tick();
    expect(await store.db.selectFrom('jobs').select('leased_until').executeTakeFirst()).toEqual({ leased_until: 0 });
  });
});

describe('alerts that wait when the clock steps an hour back', () => {
  it.each([
    ['a delivery', 'alert_deliveries', 'next_at'],
    ['a follow-up', 'alert_folds', 'closes_at'],
    ['an event', 'outbox', 'deliver_after'],
  ])('%s', async (_name, table, column) => {
    const dueAt = wall + 20 * SECOND;
    const at = { created_at: wall, tenant_no: 1 };
    if (table === 'alert_deliveries')
      await store.db
        .insertInto('alert_deliveries')
        .values({ ...at, message_id: 'm', channel: 'webhook', target: '', state: 'pending', attempts: 1, next_at: dueAt, leased_until: 0, lease_owner: null, last_error: null, delivered_at: null }) // biome-ignore format: one row
        .execute();
    if (table === 'alert_folds')
      await store.db
        .insertInto('alert_folds')
        .values({
          tenant_no: 1,
          fold_key: 'f',
          severity: 'low',
          repeats: 1,
          item: '{}',
          opened_at: wall,
          closes_at: dueAt,
        })
        .execute();
    if (table === 'outbox')
      await store.db
        .insertInto('outbox')
        .values({ ...at, outbox_id: 'o', kind: 'k', trace_id: null, payload: '{}', deliver_after: dueAt, attempts: 0, delivered_at: null }) // biome-ignore format: one row
        .execute();
    const watch = startWatch();
    await watch.tick();
    wall -= HOUR;
    await watch.tick();
    const row = await store.db
      .selectFrom(table as 'outbox')
      .select(column as 'deliver_after')
      .executeTakeFirstOrThrow();
    expect(Object.values(row)[0]).toBe(dueAt - HOUR);
  });
});

describe('whether the clock can be trusted with a deletion', () => {
  const year = 365 * DAY;
  it.each<[string, (number | 'tick' | 'an hour passes')[], boolean]>([
    ['it runs well', ['an hour passes', 'tick'], true],
    ['a minute forwards', [60 * SECOND, 'tick'], true],
    ['a year forwards, before the next tick', [year], false],
    ['a year forwards', [year, 'tick'], false],
    ['a year forwards and back', [year, 'tick', -year, 'tick'], true],
    ['an hour after a step', [year, 'tick', 'an hour passes', 'tick'], true],
    ['a day back', [-DAY, 'tick'], true],
  ])('%s', async (_name, steps, expected) => {
    const watch = startWatch();
    await watch.tick();
    for (const step of steps) {
      if (step === 'tick') await watch.tick();
      else if (step === 'an hour passes') pass(HOUR);
      else wall += step;
    }
    expect(watch.isSteady()).toBe(expected);
  });
});

describe('whether the clock may be behind', () => {
  it.each<[string, (number | 'tick' | 'an hour passes')[], boolean]>([
    ['in the first hour of a process', ['tick'], true],
    ['after an hour', ['an hour passes', 'tick'], false],
    ['a day back, before the next tick', ['an hour passes', 'tick', -DAY], true],
    ['a day back', ['an hour passes', 'tick', -DAY, 'tick'], true],
    ['an hour after a day back', ['an hour passes', 'tick', -DAY, 'tick', 'an hour passes', 'tick'], false],
    ['a minute back', ['an hour passes', 'tick', -60 * SECOND, 'tick'], false],
    ['a year forwards', ['an hour passes', 'tick', 365 * DAY, 'tick'], false],
  ])('%s', async (_name, steps, expected) => {
    const watch = startWatch();
    await watch.tick();
    for (const step of steps) {
      if (step === 'tick') await watch.tick();
      else if (step === 'an hour passes') pass(HOUR);
      else wall += step;
    }
    expect(watch.mayBeBehind()).toBe(expected);
  });
});
