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
let mine: SeededTenant;
let theirs: SeededTenant;
let theirsBefore: Map<string, string>;
beforeAll(async () => {
  http = await startHttpApp();
  mine = await seedTenant(http, 'aardvark', 0);
  theirs = await seedTenant(http, 'wombat', 5);
  theirsBefore = await readAll(theirs);
}, 120_000);
afterAll(() => http.close());

type Objects = Record<string, string>;

/** Asks with my key, whatever the path says. */
function ask(route: DescribedRoute, objects: Objects, more: { query?: Objects; body?: Json } = {}): Promise<Received> {
  const required = Object.fromEntries(
    route.requiredQuery.map((name) => [name, String(values.sampleOf(route.querySchemas[name]!))]),
  );
  const query = new URLSearchParams({ ...required, ...more.query }).toString();
  const body = more.body ?? (route.bodySchema ? values.sampleOf(route.bodySchema) : undefined);
  return http.send({
    method: route.method,
    path: fillPath(route.path, objects) + (query && `?${query}`),
    credential: mine.apiKey,
    ...(body === undefined ? {} : { body }),
  });
}

/** What of theirs an answer shows, beyond what was asked with: an error repeats its path. */
function leaksOf(answer: Received, asked: readonly string[] = []): string[] {
  const shown = withoutInstance(answer) + JSON.stringify(answer.headers);
  return theirs.markers.filter((mark) => shown.includes(mark) && !asked.includes(mark));
}

function withoutInstance({ json, text }: Received): string {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return text;
  const { instance: _, ...rest } = json;
  return JSON.stringify(rest);
}

/** An answer without what is new each time, and without the ids that were asked for. */
function gist(answer: Received, asked: readonly string[]): unknown {
  const { instance: _a, request_id: _b, ...rest } = answer.json ?? {};
  let text = JSON.stringify(rest);
  for (const id of asked) text = text.replaceAll(id, '<id>');
  return { status: answer.status, type: answer.headers['content-type'], text };
}

async function expectSameAnswer(
  status: number[],
  first: [Promise<Received>, string[]],
  second: [Promise<Received>, string[]],
): Promise<void> {
  const [real, unreal] = [await first[0], await second[0]];
  expect(status, real.text).toContain(real.status);
  expect(gist(real, first[1])).toEqual(gist(unreal, second[1]));
  expect(leaksOf(real, first[1])).toEqual([]);
}

const objectParamsOf = ({ path }: DescribedRoute) => paramsOf(path).filter((name) => name !== 'tenant_id');
const pick = (names: string[], from: Objects) => Object.fromEntries(names.map((name) => [name, from[name]!]));
const unrealOf = (objects: Objects) =>
  Object.fromEntries(Object.entries(objects).map(([name, id]) => [name, unusedId(id)]));

it('knows an object for every path parameter; add a seed to test/support/seeded-tenant.ts', () => {
  // Files of the web page belong to no tenant.
  const params = new Set(routes.flatMap(({ path }) => (path.startsWith('/ui') ? [] : paramsOf(path))));
  expect([...params].filter((name) => !(name in SEEDS))).toEqual([]);
});

it('has two tenants that share nothing', () => {
  expect(mine.markers.filter((mark) => theirs.markers.includes(mark))).toEqual([]);
  expect(theirsBefore.size).toBeGreaterThan(20);
  expect([...theirsBefore.values()].some((text) => text.includes('wombat'))).toBe(true);
});

describe('another tenant’s path', () => {
  const all = ofTenants.filter(({ path }) => path.includes('{tenant_id}'));
  it.each(named(all))('is refused as one that does not exist: %s', async (_name, route) => {
    const real = pick(paramsOf(route.path), theirs.objects);
    const unreal = unrealOf(real);
    await expectSameAnswer([403], [ask(route, real), Object.values(real)], [ask(route, unreal), Object.values(unreal)]);
  });

  const ofOperator = routes.filter(({ access }) => access === 'operator');
  it.each(named(ofOperator))('is for the operator alone, there or not: %s', async (_name, route) => {
    const real = pick(paramsOf(route.path), theirs.objects);
    const unreal = unrealOf(real);
    await expectSameAnswer([403], [ask(route, real), Object.values(real)], [ask(route, unreal), Object.values(unreal)]);
  });
});

/** A sender names its own runs; an update that says nothing is refused. */
const NAMED_BY_SENDER = new Set(['langsmith.update-run']);

describe('another tenant’s object', () => {
  const rows = ofTenants.flatMap((route) => {
    const params = objectParamsOf(route);
    const substituted = params.length > 1 ? [params, ...params.map((name) => [name])] : [params];
    return substituted
      .filter((names) => names.length > 0)
      .map((names) => [`${route.method} ${route.path} with their ${names.join(' and ')}`, route, names] as const);
  });

  it.each(rows)('is answered as one that does not exist: %s', async (_name, route, names) => {
    const own = pick(paramsOf(route.path), mine.objects);
    const real = pick(names, theirs.objects);
    const unreal = unrealOf(real);
    await expectSameAnswer(
      NAMED_BY_SENDER.has(route.id) ? [422] : [404],
      [ask(route, { ...own, ...real }), Object.values(real)],
      [ask(route, { ...own, ...unreal }), Object.values(unreal)],
    );
  });

  // A stream has no end to read, and src/http/tenant-stream.test.ts reads its filter; a deletion answers with its job.
  const filtered = ofTenants.filter(({ method, isStream }) => method !== 'DELETE' && !isStream);
  const filters = filtered.flatMap((route) =>
    Object.keys(route.querySchemas)
      .filter((name) => name in SEEDS)
      .map((name) => [`${route.method} ${route.path}?${name}=`, route, name] as const),
  );
  it.each(filters)('is no filter that finds: %s', async (_name, route, name) => {
    const own = pick(paramsOf(route.path), mine.objects);
    const real = theirs.objects[name]!;
    const unreal = unusedId(real);
    await expectSameAnswer(
      [200, 400, 404],
      [ask(route, own, { query: { [name]: real } }), [real]],
      [ask(route, own, { query: { [name]: unreal } }), [unreal]],
    );
  });

  const members = ofTenants.flatMap((route) =>
    Object.keys((route.bodySchema?.properties ?? {}) as object)
      .filter((name) => name in SEEDS)
      .map((name) => [`${route.method} ${route.path} {${name}}`, route, name] as const),
  );
  it.each(members)('is none that a body can name: %s', async (_name, route, name) => {
    const own = pick(paramsOf(route.path), mine.objects);
    const body = values.sampleOf(route.bodySchema!) as Record<string, Json>;
    const real = theirs.objects[name]!;
    const unreal = unusedId(real);
    await expectSameAnswer(
      [404, 422],
      [ask(route, own, { body: { ...body, [name]: real } }), [real]],
      [ask(route, own, { body: { ...body, [name]: unreal } }), [unreal]],
    );
  });

  it('is asked for on many routes', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect([filters.length, members.length]).toEqual([expect.any(Number), expect.any(Number)]);
  });
});

describe('what I read', () => {
  const reads = ofTenants.filter(({ method, isStream }) => method === 'GET' && !isStream);
  it.each(named(reads))('is all mine: %s', async (_name, route) => {
    const answer = await ask(route, pick(paramsOf(route.path), mine.objects));
    expect(answer.status, answer.text).toBe(NOT_SET_UP.has(route.id) ? 409 : 200);
    expect(leaksOf(answer)).toEqual([]);
  });
});

/** They need an account elsewhere, which the server of this test has not. */
const NOT_SET_UP = new Set(['billing.portal']);

describe('what I write', () => {
  it('under their trace’s id is a trace of mine', async () => {
    const spans = runSpans(1).map((span) => ({ ...span, traceId: theirs.objects.trace_id! }));
    const path = `/api/v1/tenants/${mine.tenantId}/traces/ingest`;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await http.send({
      method: 'POST',
      path,
      credential: mine.apiKey,
      headers,
      body: toRequest(spans).body,
    });
    expect(answer).toMatchObject({ status: 202, json: { rejected_spans: 0 } });
  });

  it('left everything of theirs as it was', async () => {
    expect(await readAll(theirs)).toEqual(theirsBefore);
  });
});

describe('what this table is made of', () => {
  const answer = (text: string, headers = {}): Received => ({
    status: 200,
    headers,
    bytes: Buffer.from(text),
    text,
    json: JSON.parse(text),
  });

  it('sees a leak in a list, an object and a header', () => {
    const id = theirs.objects.trace_id!;
    expect(leaksOf(answer(JSON.stringify([id])))).toEqual([id]);
    expect(leaksOf(answer(JSON.stringify({ detail: `not ${id}` })))).toEqual([id]);
    expect(leaksOf(answer('{}', { location: id }))).toEqual([id]);
    expect(leaksOf(answer(JSON.stringify({ instance: id })))).toEqual([]);
  });

  it('sees two answers that differ', async () => {
    const [one, other] = [answer('{"detail":"a"}'), answer('{"detail":"b"}')];
    await expect(expectSameAnswer([200], [Promise.resolve(one), []], [Promise.resolve(other), []])).rejects.toThrow();
  });
});

/** Every page that the tenant can read, by path. */
async function readAll(tenant: SeededTenant): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const route of ofTenants.filter(({ method, isStream }) => method === 'GET' && !isStream)) {
    const path = fillPath(route.path, tenant.objects);
    const answer = await http.send({ path, credential: tenant.apiKey });
    if (answer.status === 200) pages.set(path, answer.text);
  }
  return pages;
}
