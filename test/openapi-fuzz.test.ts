import fc from 'fast-check';
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
import { type HttpFixture, OPERATOR_TOKEN, type Received, startHttpApp } from './support/http-app.ts';
import { createResponseChecker } from './support/response-checker.ts';
import { createSchemaValues } from './support/schema-values.ts';
import { type SeededTenant, seedTenant } from './support/seeded-tenant.ts';

/** `MISSTEP_FUZZ_RUNS` sets the number of runs, `MISSTEP_FUZZ_SEED` the seed. */
const RUNS = Number(process.env.MISSTEP_FUZZ_RUNS ?? 12);
const SEED = Number(process.env.MISSTEP_FUZZ_SEED ?? 20_260_115);
const TIMEOUT_MS = 30_000 + RUNS * 2_000;

const description = describeInterface();
const values = createSchemaValues(description.components.schemas);
const check = createResponseChecker(description);
const routes = describedRoutes(description).filter(({ isStream }) => !isStream);

let http: HttpFixture;
let mainTenant: SeededTenant;
let otherTenant: SeededTenant;
beforeAll(async () => {
  http = await startHttpApp();
  mainTenant = await seedTenant(http, 'aardvark', 0);
  otherTenant = await seedTenant(http, 'wombat', 5);
}, 120_000);
afterAll(() => http.close());

/** Random preferences would send test alerts to random addresses. */
const tenantOf = ({ id }: DescribedRoute) => (id === 'alerts.change-preferences' ? otherTenant : mainTenant);

interface Question {
  objects: Record<string, string>;
  query: [string, string][];
  body: Json | undefined;
}

/** Mostly valid values, sometimes invalid ones; existing and missing objects. */
function questionsOf(route: DescribedRoute): fc.Arbitrary<Question> {
  const objects = fc.record(
    Object.fromEntries(
      paramsOf(route.path)
        .filter((name) => name !== 'tenant_id')
        .map((name) => [name, fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { freq: 2 })]),
    ),
  );
  const members = Object.entries(route.querySchemas).map(([name, schema]) => {
    const text = fc.oneof(
      { weight: 4, arbitrary: values.valuesOf(schema).map(asText) },
      { weight: 1, arbitrary: fc.string() },
    );
    return [name, route.requiredQuery.includes(name) ? text : fc.option(text, { nil: undefined, freq: 1 })] as const;
  });
  const query = fc
    .record(Object.fromEntries(members))
    .map((entry) => Object.entries(entry).filter(([, text]) => text !== undefined) as [string, string][]);
  const bodies = route.bodySchema
    ? fc.oneof(
        { weight: 4, arbitrary: values.valuesOf(route.bodySchema) },
        { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<Json> },
      )
    : fc.constant(undefined);
  return fc.record({ objects, query, body: bodies }) as fc.Arbitrary<Question>;
}

const asText = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The web page belongs to no tenant. */
const WEB_PATHS: Record<string, string> = { name: 'app.js', path: 'issues' };

function ask(route: DescribedRoute, { objects, query, body }: Question): Promise<Received> {
  const tenant = tenantOf(route);
  const named = Object.fromEntries(
    paramsOf(route.path).map(
      (name) => [name, objects[name] ?? tenant.objects[name] ?? WEB_PATHS[name]!] as [string, string],
    ),
  );
  // Deleting a tenant would end the rest of the run.
  if (route.id === 'tenants.delete') named.tenant_id = 'nobody';
  const search = new URLSearchParams(query).toString();
  return http.send({
    method: route.method,
    path: fillPath(route.path, named) + (search && `?${search}`),
    credential: route.access === 'operator' || route.access === 'registration' ? OPERATOR_TOKEN : tenant.apiKey,
    ...(body === undefined
      ? {}
      : { body: Buffer.from(JSON.stringify(body)), headers: { 'Content-Type': 'application/json' } }),
  });
}

describe('random requests', () => {
  it.each(named(routes))(
    '%s responds as described',
    async (_name, route) => {
      const property = fc.asyncProperty(questionsOf(route), async (question) => {
        expect(check(route, await ask(route, question))).toBeNull();
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    },
    TIMEOUT_MS,
  );
});

describe('the check of responses', () => {
  const route = describedRoutes(description).find(({ id }) => id === 'health')!;
  const answer = (status: number, json: unknown, type = 'application/json'): Received => {
    const text = JSON.stringify(json);
    return { status, headers: { 'content-type': type }, bytes: Buffer.from(text), text, json };
  };

  it.each([
    ['another status', answer(418, {}), 'status 418 is not described'],
    ['a server error', answer(500, {}), '500'],
    ['a member that is missing', answer(200, { status: 'healthy' }), 'breaks its schema'],
    ['another type', answer(200, {}, 'text/html'), 'text/html'],
  ])('detects %s', (_name, received, problem) => expect(check(route, received)).toContain(problem));
});
