import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTEGRATIONS } from '../src/core/integration.ts';
import type { Json, JsonObject } from '../src/core/json.ts';
import { SCOPES } from '../src/features/_kit/caller.ts';
import {
  type DescribedRoute,
  describedRoutes,
  describeInterface,
  fillPath,
  named,
  paramsOf,
} from './support/described-routes.ts';
import { type HttpFixture, OPERATOR_TOKEN, type Received, startHttpApp, type Tenant } from './support/http-app.ts';
import { createSchemaValues } from './support/schema-values.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant('mine');
});
afterAll(() => http.close());

const description = describeInterface();
const values = createSchemaValues(description.components.schemas);
const routes = describedRoutes(description);
const guarded = routes.filter(({ access }) => access === 'tenant' || access === 'operator');

/** The route with objects that do not exist. */
function pathOf(route: DescribedRoute): string {
  const params = Object.fromEntries(paramsOf(route.path).map((name) => [name, 'nothing']));
  return fillPath(route.path, { ...params, tenant_id: tenant.tenantId });
}

const credentialOf = ({ access }: DescribedRoute) =>
  access === 'operator' || access === 'registration' ? OPERATOR_TOKEN : tenant.apiKey;
const send = (route: DescribedRoute, credential: string | null, more: { query?: string; body?: Json } = {}) =>
  http.send({
    method: route.method,
    path: pathOf(route) + (more.query ?? ''),
    credential,
    ...(more.body === undefined ? {} : { body: more.body }),
  });

/** RFC 9457 with all its members; the OTLP receiver responds in its own form. */
function expectProblem(route: Pick<DescribedRoute, 'path'>, response: Received, status: number, code?: string): void {
  expect({ status: response.status, text: response.text }).toEqual({ status, text: response.text });
  if (route.path.startsWith('/v1/') || route.path.endsWith('/otel/v1/traces')) return;
  expect(response.headers['content-type']).toBe('application/problem+json');
  const { instance, request_id, errors, ...problem } = response.json;
  expect(problem).toEqual({
    type: `urn:misstep:problem:${problem.code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code: code ?? expect.any(String),
  });
  expect([typeof instance, request_id, Array.isArray(errors)]).toEqual([
    'string',
    response.headers['x-request-id'],
    true,
  ]);
}

describe('a guest', () => {
  const closed = [...guarded, ...routes.filter(({ access }) => access === 'credential')];
  it.each(named(closed))('is rejected by %s', async (_name, route) => {
    const response = await send(route, null);
    expectProblem(route, response, 401, 'unauthenticated');
    expect(response.headers['www-authenticate']).toBe('Bearer realm="misstep"');
  });

  it.each(
    named(
      routes.filter(
        ({ access, bodyTypes, method }) => access === 'public' && method === 'GET' && bodyTypes.length === 0,
      ),
    ),
  )('is accepted by %s', async (_name, route) => expect((await send(route, null)).status).toBe(200));
});

describe('a key without the scope', () => {
  it.each(named(guarded))('is rejected by %s', async (_name, route) => {
    const others = SCOPES.filter((scope) => scope !== route.scope);
    expectProblem(route, await send(route, await http.newKey(tenant.tenantId, others)), 403, 'forbidden');
  });

  it('is declared by each route of a tenant', () => {
    for (const route of guarded.filter(({ access }) => access === 'tenant')) expect(SCOPES).toContain(route.scope);
  });
});

describe('an invalid query', () => {
  const tenantRoutes = routes.filter(({ path, isStream }) => path.startsWith('/api/v1/') && !isStream);
  const isUnchecked = ({ id }: DescribedRoute) => UNCHECKED_QUERIES.has(id);

  it.each(named(tenantRoutes.filter((route) => !isUnchecked(route))))(
    'with an unknown name is rejected by %s',
    async (_name, route) => {
      const response = await send(route, credentialOf(route), { query: '?no_such_name=1', ...bodyOf(route) });
      expectProblem(route, response, 400, 'invalid_query');
      expect(response.json.errors).toContainEqual({ pointer: '?no_such_name', message: expect.any(String) });
    },
  );

  const wrong = tenantRoutes.flatMap((route) =>
    Object.entries(route.querySchemas).flatMap(([name, schema]) =>
      wrongTextsOf(schema).map((text) => [`${route.method} ${route.path}?${name}=${text}`, route, name, text] as const),
    ),
  );
  it.each(wrong)('is rejected: %s', async (_name, route, name, text) => {
    const response = await send(route, credentialOf(route), { query: `?${name}=${text}`, ...bodyOf(route) });
    expectProblem(route, response, 400, 'invalid_query');
    expect(response.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(`?${name}`);
  });

  it('is tested with many parameters', () => expect(wrong.length).toBeGreaterThan(50));
});

/** Probes and senders may append any parameters. */
const UNCHECKED_QUERIES = new Set([
  'health',
  'billing.payment-webhook',
  'metrics',
  'metrics.json',
  'traces.ingest',
  ...INTEGRATIONS.flatMap((name) => [`${name}.webhook`, `${name}.webhook-token`]),
]);

function bodyOf(route: DescribedRoute): { body?: Json } {
  return route.bodySchema ? { body: values.sampleOf(route.bodySchema) } : {};
}

/** Texts that the schema of a query parameter does not allow. */
function wrongTextsOf(schema: JsonObject): string[] {
  const types = [schema.type ?? []].flat();
  if (Array.isArray(schema.enum)) return ['no-such-word'];
  if (types.includes('boolean')) return ['maybe'];
  if (!types.includes('integer') && !types.includes('number')) return [];
  const outside = schema.maximum === undefined ? [] : [String(Number(schema.maximum) + 1)];
  return ['x', ...outside, ...(types.includes('integer') ? ['1.5'] : [])];
}

describe('an invalid body', () => {
  const taking = routes.filter(({ bodySchema, id }) => bodySchema?.type === 'object' && !OTLP.has(id));

  it.each(named(taking))('with a member of another type is rejected by %s', async (_name, route) => {
    const [name] = Object.keys((route.bodySchema?.properties ?? {}) as object);
    if (name === undefined) return;
    const body = { ...(values.sampleOf(route.bodySchema!) as object), [name]: [[[]]] };
    const response = await send(route, credentialOf(route), { body });
    expectProblem(route, response, 422, 'invalid_body');
    expect(response.json.errors[0].pointer).toMatch(new RegExp(`^/${name}(/|$)`));
  });

  it.each(named(taking.filter(({ id }) => !OPEN_BODIES.has(id))))(
    'with an unknown member is rejected by %s',
    async (_name, route) => {
      const body = { ...(values.sampleOf(route.bodySchema!) as object), no_such_member: 1 };
      const response = await send(route, credentialOf(route), { body });
      expectProblem(route, response, 422, 'invalid_body');
      expect(response.json.errors).toContainEqual({ pointer: '/no_such_member', message: expect.any(String) });
    },
  );

  it.each(named(taking.filter(({ bodySchema }) => ((bodySchema?.required ?? []) as []).length > 0)))(
    'without a required member is rejected by %s',
    async (_name, route) => {
      const response = await send(route, credentialOf(route), { body: {} });
      expectProblem(route, response, 422, 'invalid_body');
      const required = (route.bodySchema!.required as string[]).map((name) => `/${name}`);
      expect(response.json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(required.sort());
    },
  );
});

/** Invalid spans do not affect others, so these routes accept the rest. */
const OTLP = new Set([
  'otlp.traces',
  'otlp.logs',
  'openai-agents.traces',
  'traces.ingest',
  'langfuse.otlp',
  'langfuse.ingestion',
  'langsmith.otlp',
  'langsmith.create-run',
  'langsmith.take-batch',
  'langsmith.update-run',
]);
/** Bodies of other programs, with their own members. */
const OPEN_BODIES = new Set(['billing.payment-webhook']);

describe('another method', () => {
  /** A path with a literal part may also be read as one with a parameter there. */
  const isUnder = (template: string, path: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  /** Exporters probe these with HEAD. */
  const isProbed = ({ method, id }: DescribedRoute) =>
    method === 'POST' && (OTLP.has(id) || id === 'langsmith.take-multipart');
  const methodsOf = (route: DescribedRoute) =>
    route.method === 'GET' || isProbed(route) ? [route.method, 'HEAD'] : [route.method];
  const allowedOf = (some: readonly DescribedRoute[]) => new Set(['OPTIONS', ...some.flatMap(methodsOf)]);
  const byPath = Map.groupBy(routes, ({ path }) => path);

  it.each([...byPath])('gets 405 and the allowed methods: %s', async (path, [route]) => {
    const method = route!.method === 'PATCH' ? 'DELETE' : 'PATCH';
    const response = await http.send({ method, path: pathOf(route!) });
    expectProblem(route!, response, 405, 'method_not_allowed');
    const allowed = new Set(response.headers.allow?.split(', '));
    const own = allowedOf(byPath.get(path)!);
    expect([...own].filter((method) => !allowed.has(method))).toEqual([]);
    const all = allowedOf(routes.filter((one) => isUnder(one.path, path)));
    expect([...allowed].filter((method) => !all.has(method))).toEqual([]);
  });

  it.each([...byPath])('OPTIONS returns the allowed methods without a credential: %s', async (_path, [route]) => {
    const response = await http.send({ method: 'OPTIONS', path: pathOf(route!) });
    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers.allow).toContain(route!.method);
  });

  const reads = routes.filter(({ method, isStream }) => method === 'GET' && !isStream);
  it.each(named(reads))('HEAD is the same as GET without the body: %s', async (_name, route) => {
    const [get, head] = [
      await send(route, credentialOf(route)),
      await send({ ...route, method: 'HEAD' }, credentialOf(route)),
    ];
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      get.status,
      get.headers['content-type'],
      '',
    ]);
  });

  it.each(named(reads.filter(({ access }) => access === 'tenant')))(
    'HEAD needs a credential too: %s',
    async (_name, route) => {
      expect((await send({ ...route, method: 'HEAD' }, null)).status).toBe(401);
    },
  );
});

describe('the check of problems', () => {
  it('distinguishes a problem from another response', async () => {
    const response = await http.send({ path: '/livez' });
    expect(() => expectProblem({ path: '/livez' }, response, 401)).toThrow();
    expect(() => expectProblem({ path: '/livez' }, { ...response, status: 401 }, 401)).toThrow();
  });
});
