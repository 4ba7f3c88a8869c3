import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../test/support/store-app.ts';
import { readTrace, type TraceTouch, touchTraces } from './trace.store.ts';

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const touch = (overrides: Partial<TraceTouch>): TraceTouch => ({
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
  ...overrides,
});

describe('touching a trace', () => {
  it.each([
    ['a later one', 101, 101],
    ['a touch in the same millisecond by another process', 100, 101],
    ['a touch that is committed after a later one', 99, 101],
  ])('always increases its version: %s', async (_name, sequence, version) => {
    await touchTraces(store.db, [touch({})], 0);
    await touchTraces(store.db, [touch({ sequence })], 0);
    expect(await readTrace(store.db, 1, 't')).toMatchObject({ version });
  });

  it.each<[string, Partial<TraceTouch>, Partial<TraceTouch>, object]>([
    ['earliest start', { startedAt: 5 }, { startedAt: 9 }, { started_at: 5 }],
    ['earliest start, the other way round', { startedAt: 9 }, { startedAt: 5 }, { started_at: 5 }],
    ['latest end', { endedAt: 5 }, { endedAt: 9 }, { ended_at: 9 }],
    ['latest end, the other way round', { endedAt: 9 }, { endedAt: 5 }, { ended_at: 9 }],
    ['a known end', { endedAt: null }, { endedAt: 5 }, { ended_at: 5 }],
    ['a known end if the next touch has none', { endedAt: 5 }, { endedAt: null }, { ended_at: 5 }],
    ['first name until the root arrives', { name: 'a' }, { name: 'b' }, { name: 'a' }],
    ["the root's name", { name: 'a' }, { name: 'b', isRootSeen: true }, { name: 'b' }],
    ["root's name after it arrived", { name: 'a', isRootSeen: true }, { name: 'b' }, { name: 'a' }],
    ['that the root has ended', { hasRootEnded: true }, { hasRootEnded: false }, { root_ended: 1 }],
    ['the service that is named', { serviceName: 'a' }, { serviceName: null }, { service_name: 'a' }],
    ['the sum of spans', { newSpans: 3 }, { newSpans: 4 }, { span_count: 7 }],
  ])('keeps the %s', async (_name, first, second, expected) => {
    await touchTraces(store.db, [touch(first)], 0);
    await touchTraces(store.db, [touch({ ...second, sequence: 101 })], 0);
    expect(await readTrace(store.db, 1, 't')).toMatchObject(expected);
  });
});
