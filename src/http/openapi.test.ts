import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeDocs } from '../../scripts/generate-route-docs.ts';
import { compactJson } from '../../test/support/compact-json.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp } from '../../test/support/http-app.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { operations } from '../features/operations.ts';
import { toOpenApi } from './openapi.ts';
import { API_PREFIX } from './operation-router.ts';
import { toTypescriptClient } from './typescript-client/typescript-client.ts';

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

describe('OpenAPI', () => {
  it('matches the golden file; update it with `vitest run src/http/openapi.test.ts --update`', async () => {
    const text = `${compactJson(toOpenApi(operations))}\n`;
    expect(JSON.parse(text)).toEqual(toOpenApi(operations));
    await expect(text).toMatchFileSnapshot('../../test/golden/openapi.json');
  });

  it('matches the typed client; update it with --update or `node scripts/generate-client.ts`', async () => {
    const text = toTypescriptClient(toOpenApi(operations));
    await expect(text).toMatchFileSnapshot('../client/misstep-client.generated.ts');
  });

  it('matches the list of routes; update it with --update or `node scripts/generate-route-docs.ts`', async () => {
    await expect(routeDocs()).toMatchFileSnapshot('../../docs/routes.generated.md');
  });

  it('is valid OpenAPI 3.1, and every pointer resolves', async () => {
    const validator = new Validator();
    const description = structuredClone(toOpenApi(operations));
    expect((await validator.validate(description)).errors ?? []).toEqual([]);
    expect(validator.version).toBe('3.1');
    expect(lostPointers(description)).toEqual([]);
    const { paths: _, ...rest } = description;
    expect((await new Validator().validate({ ...rest, paths: { 'no-slash': {} } })).valid).toBe(false);
    expect(lostPointers({ a: { $ref: '#/components/schemas/None' } })).toEqual(['#/components/schemas/None']);
  });

  it('defines every larger shape once: shared shapes need `.meta({ id })` or belong to features/_kit', () => {
    expect(repeatedShapes(toOpenApi(operations))).toEqual([]);
    const shape = { type: 'object', properties: { [LONG]: {} } };
    expect(repeatedShapes({ one: shape, other: [shape] })).toEqual([JSON.stringify(shape)]);
  });

  it('names each operation once', () => {
    const { paths } = toOpenApi(operations) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(ids.length).toBe(new Set(ids).size);
  });

  it('is served unchanged', async () => {
    const answer = await http.send({ path: '/openapi.json' });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(answer.json).toEqual(toOpenApi(operations));
  });

  it('contains every operation under its id', () => {
    const { paths } = toOpenApi(operations) as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const { id, method, path } of operations) {
      expect(paths[API_PREFIX + path]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });
});

const LONG = 'x'.repeat(500);

/** Schema objects of more than 500 characters that occur at several places. */
function repeatedShapes(root: Json): string[] {
  const seen = new Map<string, number>();
  const visit = (value: Json): void => {
    if (isJsonObject(value) && value.type === 'object') {
      const text = JSON.stringify(value);
      if (text.length > LONG.length) seen.set(text, (seen.get(text) ?? 0) + 1);
    }
    for (const member of Object.values(value ?? {})) if (typeof member === 'object') visit(member);
  };
  visit(root);
  return [...seen].filter(([, count]) => count > 1).map(([text]) => text);
}

/** `$ref`s of the document that do not resolve. */
function lostPointers(root: JsonObject, value: Json = root): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => lostPointers(root, item));
  if (!isJsonObject(value)) return [];
  const { $ref } = value;
  const isLost = typeof $ref === 'string' && at(root, $ref) === undefined;
  return [...(isLost ? [$ref] : []), ...Object.values(value).flatMap((member) => lostPointers(root, member))];
}

function at(root: JsonObject, pointer: string): Json | undefined {
  const names = pointer.replace(/^#\//, '').split('/');
  return names.reduce<Json | undefined>(
    (value, name) => (isJsonObject(value ?? null) ? (value as JsonObject)[name] : undefined),
    root,
  );
}

describe('the other routes', () => {
  it('/ describes the server', async () => {
    expect(await http.send({ path: '/' })).toMatchObject({ status: 200, json: { name: 'Misstep', api: '/api/v1' } });
  });

  it.each(['/health', '/api/v1/health'])('%s reports a healthy server', async (path) => {
    expect(await http.send({ path })).toMatchObject({
      status: 200,
      json: { status: 'healthy', database: 'ok', redis: 'ok' },
    });
  });

  it.each(['/metrics', '/api/v1/metrics'])('%s shows the instance to the operator', async (path) => {
    await http.send({ path: '/health' });
    const answer = await http.send({
      path,
      credential: OPERATOR_TOKEN,
      headers: { Accept: 'application/openmetrics-text' },
    });
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toMatch(/^misstep_http_requests_total\{route="health",status="200"\} \d+$/m);
    expect((await http.send({ path })).status).toBe(401);
    const { apiKey } = await http.newTenant();
    const own = await http.send({ path, credential: apiKey });
    expect(own.text).toMatch(/^misstep_traces_total 0$/m);
    expect(own.text).not.toContain('misstep_http');
  });
});
