import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type HttpFixture,
  OPERATOR_TOKEN,
  type Sent,
  startHttpApp,
  type Tenant,
} from '../../../test/support/http-app.ts';
import { AppError } from '../../core/app-error.ts';
import { INGESTION_PATH, LANGFUSE_HEALTH_PATH } from './langfuse.ts';
import { LANGFUSE_TRACES_PATH } from './otlp.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/langfuse/${name}`, import.meta.url));
const EVENTS = fixture('workshop-visit.ingestion.json');
const SPANS = fixture('workshop-visit.otlp.json');
const JSON_TYPE = { 'Content-Type': 'application/json' };

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const basic = (password: string, user = 'pk-lf-anything') => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const send = (path: string, body: Buffer, headers: Record<string, string> = basic(tenant.apiKey)) =>
  http.send({ path, body, headers: { ...JSON_TYPE, ...headers } });

async function storedTrace(traceId: string) {
  http.clock.advance(5_000);
  await http.services.analysis.runDue(10);
  const path = `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`;
  return (await http.send({ path, credential: tenant.apiKey })).json;
}

describe('POST /api/public/ingestion', () => {
  const { batch } = JSON.parse(EVENTS.toString()) as { batch: { id: string; body: { traceId?: string } }[] };
  const traceId = batch.find(({ body }) => body.traceId)!.body.traceId!;

  it('stores a re-sent run once and reports a status per event', async () => {
    for (const part of [batch.slice(0, 5), batch.slice(5), batch]) {
      const answer = await send(INGESTION_PATH, Buffer.from(JSON.stringify({ batch: part })));
      expect(answer).toMatchObject({ status: 207, json: { errors: [] } });
      expect(answer.json.successes).toEqual(part.map(({ id }) => ({ id, status: 201 })));
    }
    expect(await storedTrace(traceId)).toMatchObject({
      name: 'workshop visit',
      session_id: 'visit-31',
      status: 'ok',
      span_count: 7,
      total_tokens: 95,
    });
  });

  it('names the field of an invalid event and stores the rest', async () => {
    const bad = { ...batch[0], id: 'bad', body: { ...batch[0]!.body, id: 5 } };
    const answer = await send(INGESTION_PATH, Buffer.from(JSON.stringify({ batch: [bad, batch[1]] })));
    expect(answer.json).toEqual({
      successes: [{ id: batch[1]!.id, status: 201 }],
      errors: [
        {
          id: 'bad',
          status: 400,
          message: expect.any(String),
          error: expect.stringMatching(/^\/batch\/0\/body\/id: /),
        },
      ],
    });
  });

  it('rejects more than 10,000 events, whose response would be much larger than the body', async () => {
    const answerTo = (events: number) =>
      send(INGESTION_PATH, Buffer.from(JSON.stringify({ batch: Array(events).fill(0) })));
    expect((await answerTo(10_000)).json.errors).toHaveLength(10_000);
    const refused = await answerTo(10_001);
    expect(refused).toMatchObject({ status: 413, json: { errors: [{ pointer: '/batch' }] } });
    expect(JSON.stringify(refused.json).length).toBeLessThan(1_000);
  });

  it('redacts secrets before it stores', async () => {
    const secret = 'sk-proj-4fJ2kQ9xZ7mN3bV8cL1hT6yR5wE0aSdG';
    const body = {
      id: 'leak',
      timestamp: '2026-03-01T10:00:00.000Z',
      name: 'leak',
      input: `my key is ${secret}`,
      output: 'ok',
    };
    const event = { id: 'e-leak', type: 'trace-create', timestamp: body.timestamp, body };
    await send(INGESTION_PATH, Buffer.from(JSON.stringify({ batch: [event] })));
    const stored = JSON.stringify(await storedTrace('leak'));
    expect(stored).toContain('my key is');
    expect(stored).not.toContain(secret);
  });

  it('accepts an empty batch', async () => {
    expect(await send(INGESTION_PATH, Buffer.from('{"batch": []}'))).toMatchObject({ status: 207 });
  });

  it.each<[string, Buffer, Record<string, string>, number]>([
    ['no batch', Buffer.from('{}'), {}, 422],
    ['a batch that is not a list', Buffer.from('{"batch": 5}'), {}, 422],
    ['no JSON', Buffer.from('{'), {}, 400],
    ['another type', EVENTS, { 'Content-Type': 'text/plain' }, 415],
    ['invalid gzip', EVENTS, { 'Content-Encoding': 'gzip' }, 400],
    ['too large a body', gzipSync(Buffer.alloc(17 * 1024 * 1024, ' ')), { 'Content-Encoding': 'gzip' }, 413],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await send(INGESTION_PATH, body, { ...basic(tenant.apiKey), ...headers })).status).toBe(status);
  });
});

describe('POST /api/public/otel/v1/traces', () => {
  it.each([
    ['plain', SPANS, {}],
    ['under gzip', gzipSync(SPANS), { 'Content-Encoding': 'gzip' }],
  ])('accepts spans %s', async (_, body, headers) => {
    const answer = await send(LANGFUSE_TRACES_PATH, body, { ...basic(tenant.apiKey), ...headers });
    expect(answer).toMatchObject({ status: 200, json: {} });
    const traceId = /"traceId": "(\w+)"/.exec(SPANS.toString())![1]!;
    expect(await storedTrace(traceId)).toMatchObject({ name: 'workshop visit', span_count: 7, total_tokens: 95 });
  });

  it('answers errors with google.rpc.Status', async () => {
    const answer = await send(LANGFUSE_TRACES_PATH, Buffer.from('{'));
    expect(answer).toMatchObject({ status: 400, json: { code: 3, message: expect.any(String) } });
  });
});

describe.each([
  ['events', INGESTION_PATH, EVENTS],
  ['spans', LANGFUSE_TRACES_PATH, SPANS],
])('the credential of %s', (_, path, body) => {
  it.each<[string, () => Promise<Partial<Sent>['headers']> | Partial<Sent>['headers'], number]>([
    ['none', () => ({}), 401],
    ['an unknown key', () => basic('mst_unknown_key'), 401],
    ['a key of Langfuse’s', () => basic('sk-lf-1234'), 401],
    ['a pair without a colon', () => ({ Authorization: `Basic ${Buffer.from('x').toString('base64')}` }), 401],
    ['no base64', () => ({ Authorization: 'Basic ???' }), 401],
    ['the key as user', () => basic('', tenant.apiKey), 401],
    ['a key that may only read', async () => basic(await http.newKey(tenant.tenantId, ['read'])), 403],
    ['the operator', () => basic(OPERATOR_TOKEN), 403],
  ])('is refused: %s', async (_name, headers, status) => {
    expect((await send(path, body, (await headers()) ?? {})).status).toBe(status);
  });

  it('is refused once the key is revoked', async () => {
    const created = await http.services.apiKeys.create(tenant.tenantId, {
      name: 'x',
      scopes: ['ingest'],
      expiresAt: null,
    });
    const isTaken = async () => (await send(path, body, basic(created.api_key))).status < 300;
    expect(await isTaken()).toBe(true);
    await http.services.apiKeys.revoke(tenant.tenantId, created.key_id);
    expect(await isTaken()).toBe(false);
  });

  it('may be in the header of Misstep, which has precedence', async () => {
    const own = { 'X-SVC-API-Key': tenant.apiKey, ...basic('mst_unknown') };
    expect((await send(path, body, own)).status).toBeLessThan(300);
  });
});

it('with Basic auth is not accepted elsewhere', async () => {
  expect((await send('/v1/traces', SPANS)).status).toBe(401);
});

it('the health check is public', async () => {
  expect(await http.send({ path: LANGFUSE_HEALTH_PATH })).toMatchObject({
    status: 200,
    json: { status: 'OK', version: expect.any(String) },
  });
});

it.each([
  [INGESTION_PATH, { ...JSON_TYPE }],
  ['/runs/batch', { ...JSON_TYPE }],
])('%s is rejected because of quota or load before its body is read', async (path, headers) => {
  const refusal = new AppError('quota_exceeded', 'The quota of the day is used up.');
  vi.spyOn(http.services.ingest, 'assertCapacity').mockRejectedValueOnce(refusal);
  const credential = path === INGESTION_PATH ? basic(tenant.apiKey) : { 'X-API-Key': tenant.apiKey };
  const answer = await http.send({ path, body: Buffer.from('{'), headers: { ...headers, ...credential } });
  expect(answer).toMatchObject({ status: 402, json: { code: 'quota_exceeded' } });
});
