import { readFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import type { Json } from '../../core/json.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/langsmith/${name}`, import.meta.url));
const boundaryOf = (body: Buffer) => body.subarray(2, body.indexOf('\r\n')).toString();

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const key = (apiKey: string) => ({ 'X-API-Key': apiKey });
const sendForm = (body: Buffer, headers: Record<string, string> = key(tenant.apiKey), packed = body) =>
  http.send({
    path: '/runs/multipart',
    body: packed,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundaryOf(body)}`, ...headers },
  });
const sendJson = (method: string, path: string, body: Json) =>
  http.send({ method, path, body, headers: key(tenant.apiKey) });

async function storedTrace(traceId: string) {
  http.clock.advance(5_000);
  await http.services.analysis.runDue(10);
  return (await http.send({ path: `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`, credential: tenant.apiKey }))
    .json;
}

describe('POST /runs/multipart', () => {
  it('joins runs that are posted and patched in two requests in any content coding', async () => {
    const [posted, patched] = [fixture('workshop-posted.multipart'), fixture('workshop-patched.multipart')];
    const first = await sendForm(posted);
    expect(first).toMatchObject({ status: 202, json: { message: expect.any(String), rejected_spans: 0 } });
    const traceId = first.json.trace_ids[0];
    expect(await storedTrace(traceId)).toMatchObject({ status: 'running' });
    await sendForm(patched, { ...key(tenant.apiKey), 'Content-Encoding': 'gzip' }, gzipSync(patched));
    const second = await sendForm(
      patched,
      { ...key(tenant.apiKey), 'Content-Encoding': 'zstd' },
      zstdCompressSync(patched),
    );
    expect(second.json.trace_ids).toEqual([traceId]);
    expect(await storedTrace(traceId)).toMatchObject({
      name: 'visit',
      status: 'ok',
      session_id: 'visit-31',
      span_count: 4,
      total_tokens: 95,
    });
  });

  it('ignores attachments and feedback', async () => {
    const part = (name: string, body: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${body}\r\n`;
    const run =
      '{"name":"press","run_type":"chain","trace_id":"r","dotted_order":"20260101T000000000000Zr","start_time":"2026-01-01T00:00:00Z","end_time":"2026-01-01T00:00:01Z"}';
    const parts = [part('post.r', run), part('attachment.r.photo', 'GIF89a'), part('feedback.f', '{"score":1}')];
    expect((await sendForm(Buffer.from(`${parts.join('')}--b--\r\n`))).json).toMatchObject({
      accepted_spans: 1,
      rejected_spans: 0,
    });
  });

  it.each<[string, Buffer, Record<string, string>, number]>([
    ['no multipart', Buffer.from('{}'), {}, 400],
    ['JSON', Buffer.from('{}'), { 'Content-Type': 'application/json' }, 415],
    ['an unsupported content coding', fixture('workshop.multipart'), { 'Content-Encoding': 'br' }, 415],
    ['invalid zstd', fixture('workshop.multipart'), { 'Content-Encoding': 'zstd' }, 400],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await sendForm(body, { ...key(tenant.apiKey), ...headers })).status).toBe(status);
  });
});

const TIMES = { start_time: '2026-01-01T00:00:00.000Z', run_type: 'tool', name: 'press' };

describe('runs as JSON', () => {
  it('are posted and patched in single requests', async () => {
    const posted = await sendJson('POST', '/runs', { ...TIMES, id: 'one', inputs: { sheet: 3 } });
    expect(posted).toMatchObject({ status: 202, json: { message: 'Run created', trace_ids: ['one'] } });
    const patched = await sendJson('PATCH', '/runs/one', {
      end_time: '2026-01-01T00:00:02.000Z',
      error: 'out of ink',
      outputs: null,
    });
    expect(patched).toMatchObject({ status: 202, json: { message: 'Run updated' } });
    const stored = await storedTrace('one');
    expect(stored).toMatchObject({ name: 'press', status: 'error', duration_ms: 2000 });
  });

  it('are accepted in batches, also under the prefix of an installation; an invalid run is rejected alone', async () => {
    const answer = await sendJson('POST', '/api/v1/runs/batch', {
      post: [{ ...TIMES, id: 'two' }, { ...TIMES, id: '' }, { ...TIMES, id: 'three', parent_run_id: 'two' }, 5],
      patch: [{ id: 'two', end_time: 1_767_225_601_000 }],
    });
    expect(answer).toMatchObject({
      status: 202,
      json: {
        accepted_spans: 1,
        errors: [
          { pointer: '/post/1', message: expect.stringContaining('id') },
          { pointer: '/post/2', message: expect.stringContaining('trace_id') },
          { pointer: '/post/3' },
        ],
      },
    });
  });

  it.each<[string, string, string, Json, number]>([
    ['an empty batch object', 'POST', '/runs/batch', {}, 422],
    ['a batch that is not a list', 'POST', '/runs/batch', { post: 5 }, 422],
    ['a batch without a readable run', 'POST', '/runs/batch', { post: [5] }, 422],
    ['a run without a start', 'POST', '/runs', { id: 'x', run_type: 'tool' }, 422],
    ['a run that is a list', 'POST', '/runs', [], 422],
    ['an empty update', 'PATCH', '/runs/x', {}, 422],
    ['reading', 'GET', '/runs/x', {}, 405],
  ])('are refused: %s', async (_, method, path, body, status) => {
    expect((await sendJson(method, path, body)).status).toBe(status);
  });
});

describe('the credential', () => {
  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, number]>([
    ['none', () => ({}), 401],
    ['a key of LangSmith’s', () => key('lsv2_pt_abc'), 401],
    ['an unknown key', () => key('mst_unknown'), 401],
    ['a key that may only read', async () => key(await http.newKey(tenant.tenantId, ['read'])), 403],
    ['the operator', () => key(OPERATOR_TOKEN), 403],
  ])('is refused: %s', async (_, headers, status) => {
    expect((await sendForm(fixture('workshop.multipart'), await headers())).status).toBe(status);
  });

  it('is refused once the key is revoked', async () => {
    const created = await http.services.apiKeys.create(tenant.tenantId, {
      name: 'x',
      scopes: ['ingest'],
      expiresAt: null,
    });
    const status = async () => (await sendForm(fixture('workshop.multipart'), key(created.api_key))).status;
    expect(await status()).toBe(202);
    await http.services.apiKeys.revoke(tenant.tenantId, created.key_id);
    expect(await status()).toBe(401);
  });

  it('in X-API-Key is accepted for spans under LangSmith’s path only', async () => {
    const sendSpans = (path: string) =>
      http.send({
        path,
        body: fixture('workshop.otlp.pb'),
        headers: { 'Content-Type': 'application/x-protobuf', ...key(tenant.apiKey) },
      });
    expect((await sendSpans('/otel/v1/traces')).status).toBe(200);
    expect((await sendSpans('/api/v1/otel/v1/traces')).status).toBe(200);
    expect((await sendSpans('/v1/traces')).status).toBe(401);
  });
});

it.each(['/info', '/api/v1/info'])('GET %s returns the batch settings for the SDK', async (path) => {
  expect(await http.send({ path })).toMatchObject({
    status: 200,
    json: { batch_ingest_config: { use_multipart_endpoint: true, size_limit: expect.any(Number) } },
  });
});

it.each([
  '/v1/traces',
  '/api/v1/v1/traces',
  '/v1/logs',
  '/v1/traces/ingest',
  '/api/public/otel/v1/traces',
  '/api/public/ingestion',
  '/otel/v1/traces',
  '/runs',
  '/runs/batch',
  '/runs/multipart',
])('HEAD %s is answered', async (path) => {
  expect(await http.send({ method: 'HEAD', path })).toMatchObject({ status: 200, text: '' });
});
