import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, type Sent, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { logsJson, logsProtobuf, type SentLogs } from '../../test/support/log-bodies.ts';
import type { Json } from '../core/json.ts';
import { sessionTraceId } from '../formats/hooks/session-span.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const span = {
  traceId: TRACE_ID,
  spanId: 'b7ad6b7169203331',
  name: 'plan',
  kind: 1,
  startTimeUnixNano: '1768478400000000000',
  endTimeUnixNano: '1768478401000000000',
  attributes: [{ key: 'gen_ai.agent.name', value: { stringValue: 'planner' } }],
  status: { code: 1 },
};
const batch = (...spans: Json[]): Json => ({
  resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }],
});
const body = Buffer.from(JSON.stringify(batch(span)));
const asJson = { 'Content-Type': 'application/json' };
const asProtobuf = { 'Content-Type': 'application/x-protobuf' };

const ingest = (sent: Partial<Sent>) =>
  http.send({
    path: `/api/v1/tenants/${tenant.tenantId}/traces/ingest`,
    credential: tenant.apiKey,
    body,
    headers: asJson,
    ...sent,
  });
const standard = (sent: Partial<Sent>) =>
  http.send({ path: '/v1/traces', credential: tenant.apiKey, body, headers: asJson, ...sent });

describe('the tenant’s ingest', () => {
  it('answers 202 with the accepted spans, which can then be read', async () => {
    expect(await ingest({})).toMatchObject({
      status: 202,
      json: { accepted_spans: 1, rejected_spans: 0, trace_ids: [TRACE_ID], errors: [] },
    });
    const stored = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${TRACE_ID}`,
      credential: tenant.apiKey,
    });
    expect(stored).toMatchObject({ status: 200, json: { trace_id: TRACE_ID, span_count: 1 } });
  });

  it.each<[string, string, string]>([
    ['NUL', 'a\u0000b', 'ab'],
    ['text with a direction mark', 'abc\u202Edef', 'abc\u202Edef'],
    ['joined emoji', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['combining marks', 'e\u0301', 'e\u0301'],
  ])('returns %s unchanged and stores no NUL in text columns', async (_name, text, inColumn) => {
    const traceId = Buffer.from(text.padEnd(16).slice(0, 16), 'utf8').toString('hex').padEnd(32, '1').slice(0, 32);
    const attributes: Json[] = [
      { key: 'text', value: { stringValue: text } },
      { key: `key ${text}`, value: { arrayValue: { values: [{ stringValue: text }] } } },
      { key: 'gen_ai.agent.name', value: { stringValue: text } },
    ];
    const sent = { ...span, traceId, name: text, attributes, status: { code: 2, message: text } };
    await ingest({ body: Buffer.from(JSON.stringify(batch(sent))) });
    const stored = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`,
      credential: tenant.apiKey,
    });
    expect(stored).toMatchObject({
      status: 200,
      json: {
        name: inColumn,
        spans: [{ name: text, attributes: { text, [`key ${text}`]: [text] }, status: { message: text } }],
      },
    });
  });

  it('names the rejected spans', async () => {
    const answer = await ingest({ body: Buffer.from(JSON.stringify(batch(span, { ...span, spanId: '' }))) });
    expect(answer).toMatchObject({
      status: 202,
      json: {
        accepted_spans: 1,
        rejected_spans: 1,
        errors: [{ pointer: expect.stringMatching(/^\/resourceSpans\/0/) }],
      },
    });
  });

  it.each<[string, () => Partial<Sent>, number, string]>([
    ['no credential', () => ({ credential: null }), 401, 'unauthenticated'],
    ['a path of another tenant', () => ({ path: '/api/v1/tenants/ten_x/traces/ingest' }), 403, 'wrong_tenant'],
    ['another type', () => ({ headers: { 'Content-Type': 'text/plain' } }), 415, 'unsupported_media_type'],
    ['another coding', () => ({ headers: { ...asJson, 'Content-Encoding': 'br' } }), 415, 'unsupported_media_type'],
    [
      'a content coding named like a JavaScript property',
      () => ({ headers: { ...asJson, 'Content-Encoding': 'constructor' } }),
      415,
      'unsupported_media_type',
    ],
    ['no JSON', () => ({ body: Buffer.from('{') }), 400, 'malformed'],
    ['GET', () => ({ method: 'GET', body: undefined }), 405, 'method_not_allowed'],
  ])('refuses %s', async (_name, sent, status, code) => {
    expect(await ingest(sent())).toMatchObject({ status, json: { code, status } });
  });

  it('rejects a key without ingest, and accepts the operator for an existing tenant', async () => {
    expect((await ingest({ credential: await http.newKey(tenant.tenantId, ['read']) })).json.code).toBe('forbidden');
    expect((await ingest({ credential: OPERATOR_TOKEN })).status).toBe(202);
    const unknown = await ingest({ credential: OPERATOR_TOKEN, path: '/api/v1/tenants/ten_x/traces/ingest' });
    expect(unknown.status).toBe(404);
  });
});

describe('/v1/traces', () => {
  it('answers full success with an empty message in the same encoding', async () => {
    expect(await standard({})).toMatchObject({
      status: 200,
      text: '{}',
      headers: { 'content-type': 'application/json' },
    });
    const empty = await standard({ body: Buffer.alloc(0), headers: asProtobuf });
    expect(empty).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/x-protobuf' } });
  });

  it.each([
    ['identity', body, {}],
    ['gzip', gzipSync(body), { 'Content-Encoding': 'gzip' }],
    ['a charset', body, { 'Content-Type': 'application/json; charset=utf-8' }],
  ])('accepts %s', async (_name, sent, headers) => {
    expect((await standard({ body: sent, headers: { ...asJson, ...headers } })).status).toBe(200);
  });

  it('reports a partial success', async () => {
    const answer = await standard({ body: Buffer.from(JSON.stringify(batch(span, { ...span, spanId: '' }))) });
    expect(answer).toMatchObject({
      status: 200,
      json: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('/resourceSpans/0') } },
    });
  });

  it.each<[string, () => Partial<Sent>, number, number]>([
    ['no credential', () => ({ credential: null }), 401, 16],
    ['the operator, who names no tenant', () => ({ credential: OPERATOR_TOKEN }), 403, 7],
    ['no JSON', () => ({ body: Buffer.from('{') }), 400, 3],
    ['another type', () => ({ headers: { 'Content-Type': 'text/plain' } }), 415, 3],
    ['GET', () => ({ method: 'GET', body: undefined }), 405, 12],
    ['metrics', () => ({ path: '/v1/metrics' }), 404, 5],

    ['an unknown signal', () => ({ path: '/v1/profiles' }), 404, 5],
  ])('refuses %s with google.rpc.Status', async (_name, sent, status, code) => {
    const answer = await standard(sent());
    expect(answer).toMatchObject({ status, json: { code, message: expect.any(String) } });
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it('rejects protobuf with a protobuf response', async () => {
    const answer = await standard({ credential: null, headers: asProtobuf });
    expect(answer.headers['content-type']).toBe('application/x-protobuf');
    expect([...answer.bytes.subarray(0, 3)]).toEqual([0x08, 16, 0x12]);
  });
});

describe('/v1/logs', () => {
  const NOW = 1_768_478_400_000;
  const logs: SentLogs = {
    serviceName: 'claude-code',
    scope: 'com.anthropic.claude_code.events',
    records: [
      { atMs: NOW, body: 'claude_code.user_prompt', attributes: { 'session.id': 'logs', prompt: 'Fix it' } },
      { atMs: NOW + 5, body: 'somebody else’s', attributes: {} },
    ],
  };
  const send = (sent: Partial<Sent>) => standard({ path: '/v1/logs', body: logsJson(logs), ...sent });

  it.each<[string, Partial<Sent>, object]>([
    ['JSON', {}, { text: '{}', headers: { 'content-type': 'application/json' } }],
    ['gzip', { body: gzipSync(logsJson(logs)), headers: { ...asJson, 'Content-Encoding': 'gzip' } }, { text: '{}' }],
    [
      'protobuf',
      { body: logsProtobuf(logs), headers: asProtobuf },
      { text: '', headers: { 'content-type': 'application/x-protobuf' } },
    ],
    ['nothing', { body: Buffer.alloc(0), headers: asProtobuf }, { text: '' }],
  ])('accepts %s, and other records', async (_title, sent, answer) => {
    expect(await send(sent)).toMatchObject({ status: 200, ...answer });
    const path = `/api/v1/tenants/${tenant.tenantId}/traces/${sessionTraceId('logs')}`;
    const trace = await http.send({ path, credential: tenant.apiKey });
    expect(trace.json.spans.map((one: { name: string }) => one.name)).toEqual(['claude-code', 'prompt']);
  });

  it('counts ignored records', async () => {
    const before = await counted();
    await send({});
    expect((await counted()) - before).toBe(1);
  });
  const counted = async () =>
    (await http.metrics.getSingleMetric('misstep_log_records_ignored_total')!.get()).values[0]?.value ?? 0;

  it('reports unreadable records', async () => {
    const record = { atMs: NOW, body: 'claude_code.user_prompt', attributes: {} };
    expect(await send({ body: logsJson({ ...logs, records: [record] }) })).toMatchObject({
      status: 200,
      json: { partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringContaining('session.id') } },
    });
  });

  it.each<[string, Partial<Sent>, number, number]>([
    ['no credential', { credential: null }, 401, 16],
    ['the operator, who names no tenant', { credential: OPERATOR_TOKEN }, 403, 7],
    ['no JSON', { body: Buffer.from('{') }, 400, 3],
    ['another type', { headers: { 'Content-Type': 'text/plain' } }, 415, 3],
    ['GET', { method: 'GET', body: undefined }, 405, 12],
  ])('refuses %s with google.rpc.Status', async (_name, sent, status, code) => {
    expect(await send(sent)).toMatchObject({ status, json: { code, message: expect.any(String) } });
  });
});

describe('a gzip bomb', () => {
  it('is rejected while it arrives, in little memory', async () => {
    const member = gzipSync(Buffer.alloc(16 * 1024 ** 2), { level: 9 });
    const bomb = Buffer.concat(Array(640).fill(member));
    expect(bomb.length).toBeGreaterThan(9 * 1024 ** 2);
    const before = process.memoryUsage().rss;
    const answer = await ingest({ body: bomb, headers: { ...asJson, 'Content-Encoding': 'gzip' } });
    expect(answer).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    expect((await ingest({})).status).toBe(202);
  });
});
