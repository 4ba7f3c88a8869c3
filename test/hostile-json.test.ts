import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DescribedRoute, describedRoutes, fillPath, named, paramsOf } from './support/described-routes.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp } from './support/http-app.ts';
import { type SeededTenant, seedTenant } from './support/seeded-tenant.ts';

const MAX_PROBLEM_BYTES = 64 * 1024;

let http: HttpFixture;
let tenant: SeededTenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await seedTenant(http, 'aardvark', 0);
}, 120_000);
afterAll(() => http.close());

const routes = describedRoutes().filter(({ bodyTypes }) => bodyTypes.includes('application/json'));

const members = (count: number, value: string, name: (at: number) => string) =>
  `{${Array.from({ length: count }, (_, at) => `${JSON.stringify(name(at))}:${value}`).join()}}`;

/** Each well below the limit on anonymous bodies, so that it reaches the check of its schema. */
const BODIES: [name: string, text: string][] = [
  ['many unknown members', members(3_000, '1', (at) => `m${at}`)],
  ['members with long names', members(10, '1', (at) => `${at}${'n'.repeat(700)}`)],
  ['names that JSON escapes', members(100, '1', (at) => `${at}${'\u0001'.repeat(10)}`)],
  ['names with slashes and tildes', members(200, '1', (at) => `${at}~/~/~`)],
  [
    'nested unknown members',
    members(
      80,
      members(10, '1', (at) => `i${at}`),
      (at) => `o${at}`,
    ),
  ],
  ['deep lists', '['.repeat(3_000) + ']'.repeat(3_000)],
  ['deep objects', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`],
  ['a wide list', `[${'1,'.repeat(3_000)}1]`],
  ['a long string', JSON.stringify('x'.repeat(7_000))],
  ['a huge number', `[${'9'.repeat(5_000)}, 1e400, -1e400, 1e-400]`],
  ['lone surrogates', '{"name":"\\ud800","\\udfff":"\\ud800"}'],
  ['duplicate keys', `{${'"name":1,'.repeat(500)}"name":2}`],
  ['keys of the prototype', '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"toString":1}'],
  ['null', 'null'],
  ['a number', '1'],
  ['no UTF-8', '{"name":"\u00ff"}'],
  ['half of it', '{"name":"x'],
];

/** OTLP has its own limits; an import is read later. */
const WITH_OTHER_LIMITS = [
  'traces.ingest',
  'otlp.traces',
  'otlp.logs',
  'langfuse.otlp',
  'langsmith.otlp',
  'import-jobs.create',
];

const BOMBS: [name: string, packed: Buffer][] = [
  ['empty lists', gzipSync(`[${'[],'.repeat(400_000)}[]]`)],
  ['members', gzipSync(`{${'"a":0,'.repeat(400_000)}"b":0}`)],
  ['white space', gzipSync(' '.repeat(17 * 1024 * 1024))],
];

/** A value of the wrong type for each member that the route describes. */
function wrongTypes({ bodySchema }: DescribedRoute): [string, string][] {
  const names = Object.keys((bodySchema?.properties ?? {}) as object);
  const body = (value: string) => `{${names.map((name) => `${JSON.stringify(name)}:${value}`).join()}}`;
  return ['[[1],{"a":[]}]', '"\\ud800"', '-1e999', '{"__proto__":1}', `[${'{},'.repeat(500)}1]`].map((value) => [
    `every member is ${value.slice(0, 20)}`,
    body(value),
  ]);
}

function send(route: DescribedRoute, body: Buffer, headers: Record<string, string> = {}) {
  const objects = Object.fromEntries(paramsOf(route.path).map((name) => [name, tenant.objects[name]!]));
  return http.send({
    method: route.method,
    path: fillPath(route.path, objects),
    credential: route.access === 'operator' || route.access === 'registration' ? OPERATOR_TOKEN : tenant.apiKey,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

describe('hostile JSON', () => {
  it.each(named(routes))('%s sends a short response and never a server error', async (_name, route) => {
    for (const [name, text] of [...BODIES, ...wrongTypes(route)]) {
      const response = await send(route, Buffer.from(text, name === 'no UTF-8' ? 'latin1' : 'utf8'));
      expect({ name, isServerError: response.status >= 500, text: response.text.slice(0, 300) }).toMatchObject({
        isServerError: false,
      });
      expect({ name, isSmall: response.bytes.length < MAX_PROBLEM_BYTES }).toEqual({ name, isSmall: true });
      if (response.status >= 400) expect(response.json.errors?.length ?? 0).toBeLessThanOrEqual(100);
    }
  });

  it.each(named(routes.filter(({ id }) => !WITH_OTHER_LIMITS.includes(id))))(
    '%s rejects a small compressed body of millions of values and names the limit',
    async (_name, route) => {
      for (const [name, packed] of BOMBS) {
        const response = await send(route, packed, { 'Content-Encoding': 'gzip' });
        // Not read at all, or the signature is verified before the JSON is read.
        if (route.id.includes('webhook') && [401, 404].includes(response.status)) continue;
        expect({ name, status: response.status }).toEqual({ name, status: 413 });
        expect(response.json.detail ?? response.json.message).toMatch(/(larger|more) than \d+/);
      }
    },
  );

  it('a query of thousands of unknown names gets a short response', async () => {
    const query = Array.from({ length: 1_500 }, (_, at) => `a${at}=%00`).join('&');
    const response = await http.send({ path: `/api/v1/benchmarks?${query}` });
    expect(response.status).toBe(400);
    expect(response.json.errors).toHaveLength(100);
    expect(response.bytes.length).toBeLessThan(MAX_PROBLEM_BYTES);
  });

  it('a long path is not echoed completely', async () => {
    const response = await http.send({ path: `/api/v1/${'x'.repeat(14_000)}` });
    expect(response.status).toBe(404);
    expect(response.bytes.length).toBeLessThan(3_000);
  });
});
