import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import type Koa from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../src/http/create-http-app.ts';
import { DEFAULT_HTTP_CONFIG } from '../src/http/http-config.ts';
import { API_PREFIX } from '../src/http/operation-router.ts';
import { describedRoutes } from './support/described-routes.ts';
import { type HttpFixture, startHttpApp } from './support/http-app.ts';

interface Endpoint {
  method: string;
  /** Relative to `/api/v1`. */
  path: string;
  access: string;
}

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

const specified = readEndpoints('specified-endpoints.tsv');
/** Specified but not implemented; only this test reads it. */
const pending = readEndpoints('pending-endpoints.tsv');

function readEndpoints(file: string): Endpoint[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, 'golden', file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [method = '', path = '', access = ''] = line.split('\t');
    return { method, path, access };
  });
}

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
/** Parameters may have other names. */
const shapeOf = (endpoint: { method: string; path: string }) => keyOf(endpoint).replaceAll(/\{\w+\}/g, '{}');
const rows = (endpoints: Endpoint[]) => endpoints.map((endpoint) => [keyOf(endpoint), endpoint] as const);

/** The methods that the server allows under a path. */
async function isRouted({ method, path }: { method: string; path: string }): Promise<boolean> {
  const filled = path.replaceAll(/\{\w+\}/g, 'nothing');
  const { status, headers } = await http.send({ method: 'OPTIONS', path: filled });
  return status === 204 && (headers.allow ?? '').split(', ').includes(method);
}

const described = new Set(describedRoutes().map(shapeOf));
const isDescribed = ({ method, path }: Endpoint) => described.has(shapeOf({ method, path: API_PREFIX + path }));
const isServed = ({ method, path }: Endpoint) => isRouted({ method, path: API_PREFIX + path });

describe('the specified endpoints', () => {
  const isPending = new Set(pending.map(keyOf));

  it('are 94, each named once', () => {
    expect(specified).toHaveLength(94);
    expect(new Set(specified.map(keyOf)).size).toBe(94);
  });

  it.each(rows(specified.filter((endpoint) => !isPending.has(keyOf(endpoint)))))(
    '%s is served and described',
    async (_name, endpoint) => {
      expect({ served: await isServed(endpoint), described: isDescribed(endpoint) }).toEqual({
        served: true,
        described: true,
      });
    },
  );

  it.each([
    { method: 'GET', path: '/no-such-path' },
    { method: 'PUT', path: '/benchmarks' },
  ])('detects a missing one: $method $path', async (endpoint) => {
    expect(await isServed({ ...endpoint, access: 'key' })).toBe(false);
    expect(isDescribed({ ...endpoint, access: 'key' })).toBe(false);
  });
});

describe('the pending endpoints', () => {
  it('are specified', () => {
    const known = new Set(specified.map(keyOf));
    expect(pending.map(keyOf).filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(rows(pending))(
    '%s is not implemented; remove its line from pending-endpoints.tsv once it is',
    async (_name, endpoint) => {
      expect((await isServed(endpoint)) && isDescribed(endpoint)).toBe(false);
    },
  );
});

describe('the description', () => {
  it('names every route of the routers', () => {
    const known = new Set(describedRoutes().map(shapeOf));
    for (const { method, path } of pending) known.add(shapeOf({ method, path: API_PREFIX + path }));
    const missing = routedBy(http).filter(
      ({ method, path }) =>
        !known.has(shapeOf({ method, path })) && !known.has(shapeOf({ method, path: API_PREFIX + path })),
    );
    expect(missing.map(keyOf)).toEqual([]);
  });

  it.each(describedRoutes().map((route) => [keyOf(route), route] as const))(
    'names no missing route: %s',
    async (_name, route) => {
      expect(await isRouted(route)).toBe(true);
    },
  );

  it('includes the routes of every router', () => {
    expect(routedBy(http).length).toBeGreaterThan(60);
  });
});

/** Methods and paths of all routers of the server. A short path may be an alias of the one under the prefix. */
function routedBy({ services, clock }: HttpFixture): { method: string; path: string }[] {
  const dependencies = { clock, logger: pino({ level: 'silent' }), metrics: new Registry() };
  const app = createHttpApp(services, DEFAULT_HTTP_CONFIG, dependencies);
  const routers = (app.middleware as (Koa.Middleware & { router?: Router })[]).flatMap(({ router }) => router ?? []);
  return routers.flatMap(({ stack }) =>
    stack.flatMap(({ methods, path }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) => ({
          method,
          path: String(path)
            .replace('{/}', '')
            .replaceAll(/[:*](\w+)/g, '{$1}'),
        })),
    ),
  );
}
