import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { DETECTION_TYPES } from '../core/detection.ts';

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

const benchmarks = '/api/v1/benchmarks';
const status = '/api/v1/diagnostics/detector-status';

describe('GET /benchmarks', () => {
  it('needs no credential and returns 16 modes', async () => {
    const { status: code, json } = await http.send({ path: benchmarks });
    expect(code).toBe(200);
    expect(json).toMatchObject({
      total: 16,
      items: expect.arrayContaining([expect.objectContaining({ mode: 'F16' })]),
    });
  });

  it('rejects query parameters', async () => {
    expect(await http.send({ path: `${benchmarks}?mode=F1` })).toMatchObject({ status: 400 });
  });
});

describe('GET /diagnostics/detector-status', () => {
  it('returns every detector with its tier to a tenant', async () => {
    const { apiKey } = await http.newTenant();
    const { status: code, json } = await http.send({ path: status, credential: apiKey });
    expect(code).toBe(200);
    const { items } = json as { items: { detector: string; tier: string }[] };
    expect(items.map(({ detector }) => detector)).toEqual([...DETECTION_TYPES]);
    for (const { tier } of items) expect(tier).toMatch(/^(?:production|beta|experimental)$/);
  });

  it('is rejected without a credential or scope', async () => {
    const { tenantId } = await http.newTenant();
    expect(await http.send({ path: status })).toMatchObject({ status: 401 });
    const ingesting = await http.newKey(tenantId, ['ingest']);
    expect(await http.send({ path: status, credential: ingesting })).toMatchObject({ status: 403 });
  });
});
