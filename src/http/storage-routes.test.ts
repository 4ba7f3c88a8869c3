import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DescribedRoute,
  describedRoutes,
  describeInterface,
  fillPath,
  named,
  paramsOf,
} from '../../test/support/described-routes.ts';
import { type HttpFixture, OPERATOR_TOKEN, type Received, startHttpApp } from '../../test/support/http-app.ts';
import { createSchemaValues } from '../../test/support/schema-values.ts';
import { type SeededTenant, seedTenant } from '../../test/support/seeded-tenant.ts';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { INTEGRATIONS } from '../core/integration.ts';
import type { Json } from '../core/json.ts';
import { operations } from '../features/operations.ts';
import { needsStorage } from '../features/storage/needs-storage.ts';

const FLOOR = 1_000;

let freeBytes = FLOOR;
let now = 0;
let http: HttpFixture;
let tenant: SeededTenant;
beforeAll(async () => {
  const dataDisk = {
    freeBytes: () => freeBytes,
    logBytes: () => 0,
    hasReserve: () => true,
    fillReserve: async () => {},
    releaseReserve() {},
  };
  http = await startHttpApp({}, { minFreeBytes: FLOOR }, {}, { dataDisk, monotonicMs: () => now });
  tenant = await seedTenant(http, 'aardvark', 0);
}, 120_000);
afterAll(() => http.close());
beforeEach(async () => {
  freeBytes = FLOOR * 2;
  now += 3_600_000;
  await http.services.storage.maintain();
  expect(http.services.storage.isWritable()).toBe(true);
});

const description = describeInterface();
const values = createSchemaValues(description.components.schemas);
const routes = describedRoutes(description).filter(({ isStream }) => !isStream);

/** Operations that work without storage: checks that only compute, and an access token for a key. */
const NEEDS_NO_STORAGE = [
  'tokens.create',
  'security.check-injection',
  'security.check-hallucination',
  'security.check-overflow',
  'security.calculate-cost',
];
const isWrite = ({ id, method }: DescribedRoute) =>
  method !== 'GET' && method !== 'DELETE' && !NEEDS_NO_STORAGE.includes(id);
const isHealth = ({ path }: DescribedRoute) => path.endsWith('/health') || path === '/readyz';

const contentTypeOf = ({ id }: DescribedRoute) =>
  id === 'langsmith.take-multipart' ? 'multipart/form-data; boundary=part' : 'application/json';

const isOtlp = ({ path }: DescribedRoute) => path.startsWith('/v1/') || /\/v1\/(traces|logs)$/.test(path);

function send(route: DescribedRoute, isValid = true): Promise<Received> {
  const objects = Object.fromEntries(paramsOf(route.path).map((name) => [name, tenant.objects[name] ?? 'nothing']));
  if (route.id === 'tenants.delete') objects.tenant_id = 'nobody';
  const [body] =
    route.bodySchema && isValid ? fc.sample(values.valuesOf(route.bodySchema), { numRuns: 1, seed: 7 }) : [];
  return http.send({
    method: route.method,
    path: fillPath(route.path, objects),
    credential: route.access === 'operator' || route.access === 'registration' ? OPERATOR_TOKEN : tenant.apiKey,
    body: route.id.startsWith('traces.ingest') || isOtlp(route) ? spansBody() : (body as Json | undefined),
    headers: { 'Content-Type': contentTypeOf(route) },
  });
}

const spansBody = () => Buffer.from(toRequest(runSpans(77)).body);

function expectRefused(route: DescribedRoute, answer: Received): void {
  const { status, headers, json } = answer;
  expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' });
  if (isOtlp(route)) expect(json).toMatchObject({ code: 14, message: expect.stringContaining('nothing is stored') });
  else expect(json.code).toBe('storage_unavailable');
}

describe('with less free space than the minimum', () => {
  beforeEach(() => {
    freeBytes = FLOOR - 1;
    now += 1_000;
  });

  it.each(named(routes.filter(isWrite)))('%s is refused', async (_name, route) =>
    expectRefused(route, await send(route, false)),
  );

  it.each(named(routes.filter((route) => !isWrite(route) && !isHealth(route))))(
    '%s is accepted',
    async (_name, route) => {
      expect((await send(route)).status).not.toBe(503);
    },
  );

  it('a guest is refused as a guest', async () => {
    const path = `/api/v1/tenants/${tenant.tenantId}/settings/thresholds`;
    expect((await http.send({ method: 'PUT', path, body: {} })).status).toBe(401);
  });

  it('/readyz and /health report it, and writes are accepted after space is freed', async () => {
    expect((await http.send({ path: '/readyz' })).status).toBe(503);
    expect((await http.send({ path: '/health' })).json.components.storage).toMatchObject({ state: 'unavailable' });
    freeBytes = FLOOR * 2;
    now += 1_000;
    expect((await http.send({ path: '/readyz' })).status).toBe(200);
  });
});

describe('on a read-only database', () => {
  beforeEach(() => sql`pragma query_only = on`.execute(http.app.store.db));
  // A deletion must not remove data that other tests need.
  const refused = routes.filter((route) => route.method !== 'GET');

  it.each(named(refused))('%s never answers 500', async (_name, route) => {
    try {
      const answer = await send(route);
      if (answer.status >= 500) expectRefused(route, answer);
    } finally {
      await sql`pragma query_only = off`.execute(http.app.store.db);
    }
  });

  it.each(['tenants.create', 'api-keys.revoke', 'thresholds.change'])('%s answers 503', async (id) => {
    const route = routes.find((one) => one.id === id)!;
    try {
      expectRefused(route, await send(route));
    } finally {
      await sql`pragma query_only = off`.execute(http.app.store.db);
    }
  });
});

it('every operation is a read, a deletion, rejected, or known to store nothing', () => {
  const rest = operations.filter((one) => !needsStorage(one) && one.method !== 'GET' && one.method !== 'DELETE');
  expect(rest.map(({ id }) => id).sort()).toEqual([...NEEDS_NO_STORAGE].sort());
});

it('has a webhook for each integration among the routes that are refused', () => {
  const ids = routes.filter(isWrite).map(({ path }) => path);
  for (const integration of INTEGRATIONS)
    expect(ids.some((path) => path.startsWith(`/api/v1/${integration}/webhook`))).toBe(true);
});
