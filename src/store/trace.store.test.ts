import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../test/support/store-app.ts';
import { readTrace, type TraceTouch, touchTraces } from './trace.store.ts';

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const touch = (said: Partial<TraceTouch>): TraceTouch => ({
  tenantNo: 1,
  traceId: 't',
  sequence: 100,
  name: 'step',
  isRootSeen: false,
  hasRootEnded: false,
  serviceName: null,
  startedAt: 1_000,
  endedAt: null,
  newSpans: 1,
  isHistory: false,
  isBookkeeping: false,
  ...said,
});

describe('touching a trace', () => {
  it.each([
    ['a later one', 101, 101],
    ['one of the same millisecond in another process', 100, 101],
    ['one that waited longer for the disk than its follower', 99, 101],
  ])('always makes a new version of it: %s', async (_name, sequence, version) => {
    await touchTraces(store.db, [touch({})], 0);
    await touchTraces(store.db, [touch({ sequence })], 0);
    expect(await readTrace(store.db, 1, 't')).toMatchObject({ version });
  });

  it.each<[string, Partial<TraceTouch>, Partial<TraceTouch>, object]>([
    ['earliest start', { startedAt: 5 }, { startedAt: 9 }, { started_at: 5 }],
    ['earliest start, the other way round', { startedAt: 9 }, { startedAt: 5 }, { started_at: 5 }],
    ['latest end', { endedAt: 5 }, { endedAt: 9 }, { ended_at: 9 }],
    ['latest end, the other way round', { endedAt: 9 }, { endedAt: 5 }, { ended_at: 9 }],
    ['an end where one is known', { endedAt: null }, { endedAt: 5 }, { ended_at: 5 }],
    ['an end that the next does not know', { endedAt: 5 }, { endedAt: null }, { ended_at: 5 }],
    ['the first name until the root comes', { name: 'a' }, { name: 'b' }, { name: 'a' }],
    ["the root's name", { name: 'a' }, { name: 'b', isRootSeen: true }, { name: 'b' }],
    ["the root's name once it came", { name: 'a', isRootSeen: true }, { name: 'b' }, { name: 'a' }],
    ['that the root has ended', { hasRootEnded: true }, { hasRootEnded: false }, { root_ended: 1 }],
    ['the service that is named', { serviceName: 'a' }, { serviceName: null }, { service_name: 'a' }],
    ['the sum of spans', { newSpans: 3 }, { newSpans: 4 }, { span_count: 7 }],
  ])('keeps the %s', async (_name, first, second, expected) => {
    await touchTraces(store.db, [touch(first)], 0);
    await touchTraces(store.db, [touch({ ...second, sequence: 101 })], 0);
    expect(await readTrace(store.db, 1, 't')).toMatchObject(expected);
  });
});
