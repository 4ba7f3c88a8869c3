import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { SCOPES } from '../features/_kit/caller.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { operations } from '../features/operations.ts';
import { API_PREFIX } from './operation-router.ts';

let http: HttpFixture;
let mine: Tenant;
let other: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  mine = await http.newTenant('mine');
  other = await http.newTenant('other');
});
afterAll(() => http.close());

/** Queries of operations that require one. */
const QUERIES: Readonly<Record<string, string>> = {
  'traces.delete-matching': '?status=running',
  'traces.find': '?text=nothing',
  'analytics.series': '?metric=runs',
};

/** The operation's path for a tenant, with objects that do not exist. */
function pathOf(operation: AnyOperation, tenantId: string): string {
  const path = operation.path.replace('{tenant_id}', tenantId).replaceAll(/\{\w+\}/g, 'nothing');
  return API_PREFIX + path + (QUERIES[operation.id] ?? '');
}

const call = (operation: AnyOperation, tenantId: string, credential: string | null) =>
  http.send({
    method: operation.method,
    path: pathOf(operation, tenantId),
    credential,
    ...(operation.body ? { body: {} } : {}),
  });

const named = (list: readonly AnyOperation[]) => list.map((operation) => [operation.id, operation] as const);
const ofTenants = operations.filter((operation) => operation.access.kind === 'tenant');
const ofPathTenants = ofTenants.filter((operation) => operation.path.includes('{tenant_id}'));
const ofOperator = operations.filter((operation) => operation.access.kind === 'operator');

describe('the list of operations', () => {
  it('has unique ids of the form noun.verb, and unique routes', () => {
    const ids = operations.map((operation) => operation.id);
    const routes = operations.map((operation) => `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
    for (const id of ids) expect(id).toMatch(/^[a-z-]+\.[a-z-]+$/);
  });

  it.each(named(operations))('%s declares every parameter of its path', (_id, operation) => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(operation.params?.shape ?? {}).sort()).toEqual(inPath.sort());
  });

  it('guards at least one operation of each kind', () => {
    for (const list of [ofPathTenants, ofOperator]) expect(list.length).toBeGreaterThan(0);
  });
});

describe('a guest', () => {
  it.each(named([...ofTenants, ...ofOperator]))('is refused by %s', async (_id, operation) => {
    const answer = await call(operation, mine.tenantId, null);
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="misstep"');
  });
});

describe('an invalid credential', () => {
  it.each(named([...ofTenants, ...ofOperator]))('is refused by %s', async (_id, operation) => {
    const answer = await call(operation, mine.tenantId, `${mine.apiKey.slice(0, -1)}~`);
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="misstep", error="invalid_token"');
  });
});

describe('another tenant', () => {
  it.each(named(ofPathTenants))('is refused by %s, whether or not the path’s tenant exists', async (_id, operation) => {
    const real = await call(operation, mine.tenantId, other.apiKey);
    const unreal = await call(operation, 'ten_00000000000000000000000000', other.apiKey);
    const { instance: _a, request_id: _b, ...first } = real.json;
    const { instance: _c, request_id: _d, ...second } = unreal.json;
    expect(first).toMatchObject({ status: 403, code: 'wrong_tenant' });
    expect(second).toEqual(first);
  });
});

describe('a key without the scope', () => {
  it.each(named(ofTenants))('is refused by %s', async (_id, operation) => {
    const { access } = operation;
    const others = SCOPES.filter((scope) => access.kind === 'tenant' && scope !== access.scope);
    const answer = await call(operation, mine.tenantId, await http.newKey(mine.tenantId, others));
    expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden' } });
  });
});

describe('a tenant’s admin', () => {
  it.each(named(ofOperator))('is refused by %s', async (_id, operation) => {
    const answer = await call(operation, mine.tenantId, mine.apiKey);
    expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden' } });
  });
});

describe('the right key', () => {
  it.each(named(ofTenants))('is accepted by %s', async (_id, operation) => {
    const { access } = operation;
    const key = await http.newKey(mine.tenantId, access.kind === 'tenant' ? [access.scope] : []);
    const answer = await call(operation, mine.tenantId, key);
    expect([200, 201, 202, 204, 404, 409, 422]).toContain(answer.status);
  });
});

describe('the operator', () => {
  it.each(named(ofPathTenants))('gets 404 from %s for an unknown tenant', async (_id, operation) => {
    const answer = await call(operation, 'ten_00000000000000000000000000', OPERATOR_TOKEN);
    expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });
});

describe('an invalid query', () => {
  it.each(named(operations.filter((operation) => operation.method === 'GET')))(
    'is refused by %s',
    async (_id, operation) => {
      const path = pathOf(operation, mine.tenantId);
      const answer = await http.send({
        path: `${path}${path.includes('?') ? '&' : '?'}no_such_name=1`,
        credential: operation.access.kind === 'operator' ? OPERATOR_TOKEN : mine.apiKey,
      });
      expect(answer).toMatchObject({
        status: 400,
        json: { code: 'invalid_query', errors: [{ pointer: '?no_such_name' }] },
      });
    },
  );
});

describe('an invalid body', () => {
  const withBody = operations.filter((operation) => operation.body);
  const credentialFor = ({ access }: AnyOperation) => (access.kind === 'tenant' ? mine.apiKey : OPERATOR_TOKEN);
  const post = (operation: AnyOperation, body: Buffer, type = 'application/json') =>
    http.send({
      method: operation.method,
      path: pathOf(operation, mine.tenantId),
      credential: credentialFor(operation),
      body,
      headers: { 'Content-Type': type },
    });

  it.each(named(withBody))('is refused by %s', async (_id, operation) => {
    const answers = await Promise.all([
      post(operation, Buffer.from('"text"')),
      post(operation, Buffer.from('{"name": ')),
      post(operation, Buffer.from([0x22, 0xff, 0x22])),
      post(operation, Buffer.from('name=x'), 'application/x-www-form-urlencoded'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([422, 400, 400, 415]);
    expect(answers.map((answer) => answer.json.code)).toEqual([
      'invalid_body',
      'malformed',
      'malformed',
      'unsupported_media_type',
    ]);
  });
});
