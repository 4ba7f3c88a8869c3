import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { VERSION } from '../../core/version.ts';
import { createHealthService } from './health.service.ts';

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

describe('health', () => {
  it('is told by the running service', async () => {
    expect(await store.services.health.check()).toEqual({
      status: 'healthy',
      database: 'ok',
      redis: 'ok',
      cache: 'memory',
      version: VERSION,
      queue_depth: 0,
    });
  });

  it.each([
    ['healthy', 0, true, 'ok'],
    ['healthy', 9, true, 'ok'],
    ['degraded', 10, true, 'ok'],
    ['unhealthy', 0, false, 'unavailable'],
    ['unhealthy', 10, false, 'unavailable'],
  ])('is %s with %d spans waiting and the database open: %s', async (status, depth, isOpen, database) => {
    const health = createHealthService({ db: store.db, version: '1', queueDepth: () => depth, maxQueueDepth: 10 });
    if (!isOpen) await store.app.store.close();
    expect(await health.check()).toMatchObject({ status, database, queue_depth: depth });
  });
});
