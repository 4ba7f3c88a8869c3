import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientText } from '../scripts/generate-client.ts';
import { type Client, createClient, eachItem, MisstepError } from '../src/client/misstep-client.generated.ts';
import { describedRoutes, describeInterface } from './support/described-routes.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp } from './support/http-app.ts';
import { type SeededTenant, seedTenant } from './support/seeded-tenant.ts';

let http: HttpFixture;
let tenant: SeededTenant;
let client: Client;
let tenant_id: string;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await seedTenant(http, 'aardvark', 0);
  tenant_id = tenant.tenantId;
  client = createClient({ baseUrl: http.url, apiKey: tenant.apiKey });
}, 60_000);
afterAll(() => http.close());

describe('the file', () => {
  it('is served by the server', async () => {
    const text = await client.typescriptClient.get();
    expect(text === clientText()).toBe(true);
  });

  it('has a method for every operation that is described', () => {
    const methods = Object.entries(client).flatMap(([group, some]) =>
      Object.keys(some).map((one) => `${group}.${one}`),
    );
    expect(new Set(methods).size).toBe(describedRoutes(describeInterface()).length);
  });
});

describe('over a socket', () => {
  it('lists, filters and pages', async () => {
    const page = await client.traces.list({ tenant_id, page_size: 2, status: 'ok' });
    expect(page.items.length).toBeLessThanOrEqual(2);
    for (const trace of page.items) expect(trace.status).toBe('ok');
    const ids: string[] = [];
    for await (const trace of eachItem(client.traces.list, { tenant_id, page_size: 2 })) ids.push(trace.trace_id);
    expect(ids).toHaveLength((await client.traces.list({ tenant_id })).total);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(2);
  });

  it('sends a body, and returns the first response again for the same key', async () => {
    const body = { detection_id: tenant.objects.detection_id!, feedback_type: 'true_positive' as const };
    const first = await client.feedback.submit({ tenant_id, body }, { idempotencyKey: 'once' });
    const again = await client.feedback.submit({ tenant_id, body }, { idempotencyKey: 'once' });
    expect(again).toEqual(first);
    expect(first.is_valid).toBe(true);
  });

  it('sends spans as JSON, and returns nothing for an empty response', async () => {
    const span = {
      traceId: 'aa'.repeat(16),
      spanId: 'bb'.repeat(8),
      name: 'step',
      startTimeUnixNano: '1700000000000000000',
    };
    const stored = await client.traces.ingest({
      tenant_id,
      body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
    });
    expect(stored).toMatchObject({ accepted_spans: 1, rejected_spans: 0, trace_ids: [span.traceId] });
    expect(await client.traces.delete({ tenant_id, trace_id: span.traceId })).toBeUndefined();
  });

  it('uploads a file, as a text and as a form', async () => {
    const line = '{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Good day"}]}\n';
    const form = new FormData();
    form.set('file', new Blob([line]), 'log.jsonl');
    for (const body of [line, new TextEncoder().encode(line), form]) {
      const job = await client.importJobs.create({ body, file_name: 'log.jsonl' });
      expect(job).toMatchObject({ status: 'queued', bytes_total: line.length });
    }
  });

  it('returns text as text, and long responses as streams', async () => {
    expect(await client.metrics.get()).toContain('misstep_traces_total');
    const exported = await client.export.get({ tenant_id });
    expect(exported.headers.get('Content-Type')).toContain('ndjson');
    expect((await exported.text()).split('\n').length).toBeGreaterThan(2);
  });

  it('also accepts a base URL with the API prefix', async () => {
    const other = createClient({ baseUrl: `${http.url}/api/v1/`, bearer: OPERATOR_TOKEN });
    expect((await other.tenants.list()).items.map((one) => one.tenant_id)).toContain(tenant_id);
  });

  it('throws errors of the server', async () => {
    const refused = client.traces.get({ tenant_id, trace_id: 'no such trace/..' });
    await expect(refused).rejects.toBeInstanceOf(MisstepError);
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'not_found', problem: { title: 'Not found' } });
    const clientWithoutKey = createClient({ baseUrl: http.url });
    await expect(clientWithoutKey.traces.list({ tenant_id })).rejects.toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    const wrong = client.feedback.submit({ tenant_id, body: { detection_id: '', feedback_type: 'true_positive' } });
    await expect(wrong).rejects.toMatchObject({ status: 422, problem: { errors: [{ pointer: '/detection_id' }] } });
  });

  it.each(['', '.', '..'])('never requests another path for the id "%s"', async (trace_id) => {
    await expect(client.traces.get({ tenant_id, trace_id })).rejects.toThrow('trace_id cannot be');
  });

  it('follows no redirect, which would send the key to another host', async () => {
    const asked: RequestInit[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      asked.push(init ?? {});
      return Response.json({});
    };
    await createClient({ baseUrl: 'http://gateway.test', apiKey: 'mst_1', fetch }).health.get();
    expect(asked).toMatchObject([{ redirect: 'error' }]);
  });

  it('reports responses of a proxy', async () => {
    const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Retry-After': '7' } });
    const behind = createClient({ baseUrl: 'http://gateway.test', fetch });
    await expect(behind.health.get()).rejects.toMatchObject({
      status: 502,
      problem: null,
      code: null,
      retryAfterSeconds: 7,
    });
  });
});

describe('docs/client.md', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'misstep-client-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('shows a program that works with the file of the server', async () => {
    const page = await readFile(join(import.meta.dirname, '../docs/client.md'), 'utf8');
    const [, program = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'misstep-client.ts'), (await http.send({ path: '/misstep-client.ts' })).text);
    const env = { MISSTEP_URL: http.url, MISSTEP_API_KEY: tenant.apiKey, MISSTEP_TENANT_ID: tenant_id };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.ts')], { env });
    expect(stdout).toMatch(/^\d+ of \d+ detections\n(critical|warning) /);
    expect(stdout).toMatch(/404 not_found .+\n$/);
  });
});
