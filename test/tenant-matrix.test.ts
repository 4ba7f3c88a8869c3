import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../src/core/json.ts';
import {
  type DescribedRoute,
  describedRoutes,
  describeInterface,
  fillPath,
  named,
  paramsOf,
} from './support/described-routes.ts';
import { type HttpFixture, type Received, startHttpApp } from './support/http-app.ts';
import { createSchemaValues } from './support/schema-values.ts';
import { SEEDS, type SeededTenant, seedTenant, unusedId } from './support/seeded-tenant.ts';
import { runSpans, toRequest } from './support/store-app.ts';

const description = describeInterface();
const values = createSchemaValues(description.components.schemas);
const routes = describedRoutes(description);
const ofTenants = routes.filter(({ access }) => access === 'tenant');

let http: HttpFixture;
let ownTenant: SeededTenant;
let otherTenant: SeededTenant;
let otherBefore: Map<string, string>;
beforeAll(async () => {
  http = await startHttpApp();
  ownTenant = await seedTenant(http, 'aardvark', 0);
  otherTenant = await seedTenant(http, 'wombat', 5);
  otherBefore = await readAll(otherTenant);
}, 120_000);
afterAll(() => http.close());

type Objects = Record<string, string>;

/** Sends a request with the key of `ownTenant`, regardless of the path. */
function ask(route: DescribedRoute, objects: Objects, more: { query?: Objects; body?: Json } = {}): Promise<Received> {
  const required = Object.fromEntries(
    route.requiredQuery.map((name) => [name, String(values.sampleOf(route.querySchemas[name]!))]),
  );
  const query = new URLSearchParams({ ...required, ...more.query }).toString();
  const body = more.body ?? (route.bodySchema ? values.sampleOf(route.bodySchema) : undefined);
  return http.send({
    method: route.method,
    path: fillPath(route.path, objects) + (query && `?${query}`),
    credential: ownTenant.apiKey,
    ...(body === undefined ? {} : { body }),
  });
}

/** Texts of `otherTenant` in a response, except the requested ids: an error repeats its path. */
function leaksOf(response: Received, requestedIds: readonly string[] = []): string[] {
  const shown = withoutInstance(response) + JSON.stringify(response.headers);
  return otherTenant.markers.filter((mark) => shown.includes(mark) && !requestedIds.includes(mark));
}

function withoutInstance({ json, text }: Received): string {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return text;
  const { instance: _, ...rest } = json;
  return JSON.stringify(rest);
}

/** The parts of a response that must be equal: without request ids and the requested ids. */
function comparableParts(response: Received, requestedIds: readonly string[]): unknown {
  const { instance: _a, request_id: _b, ...rest } = response.json ?? {};
  let text = JSON.stringify(rest);
  for (const id of requestedIds) text = text.replaceAll(id, '<id>');
  return { status: response.status, type: response.headers['content-type'], text };
}

async function expectSameResponse(
  status: number[],
  first: [Promise<Received>, string[]],
  second: [Promise<Received>, string[]],
): Promise<void> {
  const [real, unused] = [await first[0], await second[0]];
  expect(status, real.text).toContain(real.status);
  expect(comparableParts(real, first[1])).toEqual(comparableParts(unused, second[1]));
  expect(leaksOf(real, first[1])).toEqual([]);
}

const objectParamsOf = ({ path }: DescribedRoute) => paramsOf(path).filter((name) => name !== 'tenant_id');
const pick = (names: string[], from: Objects) => Object.fromEntries(names.map((name) => [name, from[name]!]));
const withUnusedIds = (objects: Objects) =>
  Object.fromEntries(Object.entries(objects).map(([name, id]) => [name, unusedId(id)]));

it('has an object for every path parameter; add a seed to test/support/seeded-tenant.ts', () => {
  // Files of the web page belong to no tenant.
  const params = new Set(routes.flatMap(({ path }) => (path.startsWith('/ui') ? [] : paramsOf(path))));
  expect([...params].filter((name) => !(name in SEEDS))).toEqual([]);
});

it('has two tenants that share nothing', () => {
  expect(ownTenant.markers.filter((mark) => otherTenant.markers.includes(mark))).toEqual([]);
  expect(otherBefore.size).toBeGreaterThan(20);
  expect([...otherBefore.values()].some((text) => text.includes('wombat'))).toBe(true);
});

describe('another tenant’s path', () => {
  const all = ofTenants.filter(({ path }) => path.includes('{tenant_id}'));
  it.each(named(all))('is rejected like one that does not exist: %s', async (_name, route) => {
    const real = pick(paramsOf(route.path), otherTenant.objects);
    const unused = withUnusedIds(real);
    await expectSameResponse(
      [403],
      [ask(route, real), Object.values(real)],
      [ask(route, unused), Object.values(unused)],
    );
  });

  const ofOperator = routes.filter(({ access }) => access === 'operator');
  it.each(named(ofOperator))('is for the operator only, whether it exists or not: %s', async (_name, route) => {
    const real = pick(paramsOf(route.path), otherTenant.objects);
    const unused = withUnusedIds(real);
    await expectSameResponse(
      [403],
      [ask(route, real), Object.values(real)],
      [ask(route, unused), Object.values(unused)],
    );
  });
});

/** Senders choose the ids of runs; an empty update is rejected. */
const NAMED_BY_SENDER = new Set(['langsmith.update-run']);

describe('another tenant’s object', () => {
  const rows = ofTenants.flatMap((route) => {
    const params = objectParamsOf(route);
    const substituted = params.length > 1 ? [params, ...params.map((name) => [name])] : [params];
    return substituted
      .filter((names) => names.length > 0)
      .map((names) => [`${route.method} ${route.path} with their ${names.join(' and ')}`, route, names] as const);
  });

  it.each(rows)('gets the same response as one that does not exist: %s', async (_name, route, names) => {
    const own = pick(paramsOf(route.path), ownTenant.objects);
    const real = pick(names, otherTenant.objects);
    const unused = withUnusedIds(real);
    await expectSameResponse(
      NAMED_BY_SENDER.has(route.id) ? [422] : [404],
      [ask(route, { ...own, ...real }), Object.values(real)],
      [ask(route, { ...own, ...unused }), Object.values(unused)],
    );
  });

  // A stream has no end, and src/http/tenant-stream.test.ts tests its filter; a deletion returns its job.
  const filtered = ofTenants.filter(({ method, isStream }) => method !== 'DELETE' && !isStream);
  const filters = filtered.flatMap((route) =>
    Object.keys(route.querySchemas)
      .filter((name) => name in SEEDS)
      .map((name) => [`${route.method} ${route.path}?${name}=`, route, name] as const),
  );
  it.each(filters)('finds nothing as a filter: %s', async (_name, route, name) => {
    const own = pick(paramsOf(route.path), ownTenant.objects);
    const real = otherTenant.objects[name]!;
    const unused = unusedId(real);
    await expectSameResponse(
      [200, 400, 404],
      [ask(route, own, { query: { [name]: real } }), [real]],
      [ask(route, own, { query: { [name]: unused } }), [unused]],
    );
  });

  const members = ofTenants.flatMap((route) =>
    Object.keys((route.bodySchema?.properties ?? {}) as object)
      .filter((name) => name in SEEDS)
      .map((name) => [`${route.method} ${route.path} {${name}}`, route, name] as const),
  );
  it.each(members)('is rejected in a body: %s', async (_name, route, name) => {
    const own = pick(paramsOf(route.path), ownTenant.objects);
    const body = values.sampleOf(route.bodySchema!) as Record<string, Json>;
    const real = otherTenant.objects[name]!;
    const unused = unusedId(real);
    await expectSameResponse(
      [404, 422],
      [ask(route, own, { body: { ...body, [name]: real } }), [real]],
      [ask(route, own, { body: { ...body, [name]: unused } }), [unused]],
    );
  });

  it('is tested on many routes', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect([filters.length, members.length]).toEqual([expect.any(Number), expect.any(Number)]);
  });
});

describe('a response to a tenant', () => {
  const reads = ofTenants.filter(({ method, isStream }) => method === 'GET' && !isStream);
  it.each(named(reads))('contains only its own data: %s', async (_name, route) => {
    const response = await ask(route, pick(paramsOf(route.path), ownTenant.objects));
    expect(response.status, response.text).toBe(NOT_SET_UP.has(route.id) ? 409 : 200);
    expect(leaksOf(response)).toEqual([]);
  });
});

/** They need an external account, which the test server does not have. */
const NOT_SET_UP = new Set(['billing.portal']);

describe('a write of a tenant', () => {
  it('with the trace id of another tenant creates an own trace', async () => {
    const spans = runSpans(1).map((span) => ({ ...span, traceId: otherTenant.objects.trace_id! }));
    const path = `/api/v1/tenants/${ownTenant.tenantId}/traces/ingest`;
    const headers = { 'Content-Type': 'application/json' };
    const response = await http.send({
      method: 'POST',
      path,
      credential: ownTenant.apiKey,
      headers,
      body: toRequest(spans).body,
    });
    expect(response).toMatchObject({ status: 202, json: { rejected_spans: 0 } });
  });

  it('leaves all data of the other tenant unchanged', async () => {
    expect(await readAll(otherTenant)).toEqual(otherBefore);
  });
});

describe('the checks of this file', () => {
  const response = (text: string, headers = {}): Received => ({
    status: 200,
    headers,
    bytes: Buffer.from(text),
    text,
    json: JSON.parse(text),
  });

  it('detect a leak in a list, an object and a header', () => {
    const id = otherTenant.objects.trace_id!;
    expect(leaksOf(response(JSON.stringify([id])))).toEqual([id]);
    expect(leaksOf(response(JSON.stringify({ detail: `not ${id}` })))).toEqual([id]);
    expect(leaksOf(response('{}', { location: id }))).toEqual([id]);
    expect(leaksOf(response(JSON.stringify({ instance: id })))).toEqual([]);
  });

  it('detect two different responses', async () => {
    const [one, other] = [response('{"detail":"a"}'), response('{"detail":"b"}')];
    await expect(expectSameResponse([200], [Promise.resolve(one), []], [Promise.resolve(other), []])).rejects.toThrow();
  });
});

/** All responses that the tenant can read, by path. */
async function readAll(tenant: SeededTenant): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const route of ofTenants.filter(({ method, isStream }) => method === 'GET' && !isStream)) {
    const path = fillPath(route.path, tenant.objects);
    const response = await http.send({ path, credential: tenant.apiKey });
    if (response.status === 200) pages.set(path, response.text);
  }
  return pages;
}
