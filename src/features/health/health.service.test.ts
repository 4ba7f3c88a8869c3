import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { VERSION } from '../../core/version.ts';
import { databaseCheck } from './database.check.ts';
import { createHealthService } from './health.service.ts';
import { type ComponentState, HEALTHY, type HealthCheck } from './health-check.ts';
import { ingestQueueCheck } from './ingest-queue.check.ts';

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const serviceOf = (...checks: HealthCheck[]) => createHealthService({ checks, version: '1', queueDepth: () => 0 });
const fixed = (name: string, state: ComponentState): HealthCheck => ({ name, check: () => ({ state, detail: state }) });

describe('health', () => {
  it('of the running service names every component', async () => {
    expect(await store.services.health.check()).toMatchObject({
      status: 'healthy',
      database: 'ok',
      redis: 'ok',
      cache: 'memory',
      version: VERSION,
      queue_depth: 0,
      components: { database: HEALTHY, ingest_queue: HEALTHY },
    });
  });

  it.each([
    ['healthy', 0, 0, true, 'ok'],
    ['healthy', 9, 4_999, true, 'ok'],
    ['degraded', 10, 0, true, 'ok'],
    ['degraded', 1, 5_000, true, 'ok'],
    ['unhealthy', 0, 0, false, 'unavailable'],
    ['unhealthy', 10, 0, false, 'unavailable'],
  ])(
    'is %s with %d spans waiting for %d ms and the database open: %s',
    async (status, depth, age, isOpen, database) => {
      const queue = ingestQueueCheck({ depth: () => depth, ageMs: () => age, limit: 10 });
      const health = serviceOf(databaseCheck(store.app.store), queue);
      if (!isOpen) await store.app.store.close();
      expect(await health.check()).toMatchObject({ status, database });
    },
  );

  it.each<[string, ComponentState[]]>([
    ['healthy', ['ok', 'ok']],
    ['degraded', ['ok', 'degraded']],
    ['unhealthy', ['degraded', 'unavailable']],
    ['unhealthy', ['unavailable', 'ok']],
  ])('is %s as its worst component: %j', async (status, states) => {
    const health = serviceOf(...states.map((state, at) => fixed(`part_${at}`, state)));
    expect((await health.check()).status).toBe(status);
  });

  it('counts a check that throws as unavailable, without its text', async () => {
    const health = await serviceOf({ name: 'part', check: () => Promise.reject(new Error('/secret/path')) }).check();
    expect(health).toMatchObject({ status: 'unhealthy', components: { part: { state: 'unavailable' } } });
    expect(JSON.stringify(health)).not.toContain('/secret/path');
  });
});
