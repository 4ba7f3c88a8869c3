import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { N8N } from '../n8n/n8n.services.ts';

let app: StoreApp;
let tenantId: string;
let key = 'the first key of this test';
beforeEach(async () => {
  key = 'the first key of this test';
  app = await openStoreApp({ config: { integrations: { readSecretKey: () => key, allowPrivate: ['127.0.0.0/8'] } } });
  tenantId = await app.newTenant();
});
afterEach(() => app.close());

const of = { integration: 'flowplatform', name: 'instance' } as const;
const input = { name: 'home', url: 'http://127.0.0.1:5678', credentials: { api_key: 'k' } };

describe('a registration whose key was lost', () => {
  it('reports that credentials must be entered again, and continues after that', async () => {
    const { row } = await app.services.registrations.create(tenantId, of, input);
    const id = row.registration_id;
    key = 'another key';
    const second = await app.openSecond();
    const { registrations, platforms } = second.services;
    expect((await registrations.list(tenantId, {}, { page: 1, pageSize: 10, cursor: null })).items).toHaveLength(1);
    const stored = await registrations.get(tenantId, id);
    expect(() => registrations.credentialsOf(stored)).toThrow('sealed with another key');
    expect(registrations.webhookSecretOf(stored)).toBeNull();
    const request = { instanceId: id, sinceMs: null, isAlerting: false, isFull: false };
    await expect(platforms.of(N8N).sync.request(tenantId, request)).rejects.toMatchObject({ code: 'conflict' });
    const changed = await registrations.change(tenantId, id, { credentials: { api_key: 'k2' } });
    expect(registrations.credentialsOf(changed)).toEqual({ api_key: 'k2' });
    const { row: rotated, webhook } = await registrations.rotate(tenantId, id);
    expect(registrations.webhookSecretOf(rotated)).toBe(webhook.secret);
    await second.close();
  });

  it('can still be removed', async () => {
    const { row } = await app.services.registrations.create(tenantId, of, input);
    key = 'another key';
    const second = await app.openSecond();
    await second.services.registrations.remove(tenantId, row.registration_id);
    await second.close();
    await expect(app.services.registrations.get(tenantId, row.registration_id)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
