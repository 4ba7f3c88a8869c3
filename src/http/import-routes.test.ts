import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, traceIdOf } from '../../test/support/store-app.ts';
import { MAX_UPLOAD_BYTES } from '../features/imports/import-folder.ts';
import { encodeSpanLine } from '../formats/misstep/span-line.ts';
import { encodeOtlpJson } from '../formats/otlp/encode-json.ts';

let http: HttpFixture;
let mine: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  mine = await http.newTenant('mine');
});
afterAll(() => http.close());

const PATH = '/api/v1/import-jobs';
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const linesOf = (...traces: number[]) =>
  `${traces
    .flatMap((at) => runSpans(at))
    .map(encodeSpanLine)
    .join('\n')}\n`;
const upload = (body: string | Buffer, more: { headers?: Record<string, string>; query?: string; as?: Tenant } = {}) =>
  http.send({
    method: 'POST',
    path: `${PATH}${more.query ?? ''}`,
    credential: (more.as ?? mine).apiKey,
    headers: more.headers ?? NDJSON,
    body: Buffer.from(body as string),
  });
const get = (path: string, as: Tenant = mine) => http.send({ path: `${PATH}${path}`, credential: as.apiKey });
const spansOf = (tenant: Tenant, traceId: string) =>
  http.services.traces.spans(tenant.tenantId, traceId).then((spans) => spans.length);

function form(parts: { name: string; fileName?: string; type?: string; body: string | Buffer }[]) {
  const boundary = 'a-boundary-of-the-test';
  const chunks = parts.flatMap(({ name, fileName, type, body }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"` : ''}\r\n` +
        `${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    ),
    Buffer.from(body as string),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
}

async function uploaded(body: string | Buffer, more: Parameters<typeof upload>[1] = {}) {
  const answer = await upload(body, more);
  expect(answer).toMatchObject({ status: 202, json: { status: 'queued' } });
  await http.services.imports.runDue(10);
  const id = answer.json.import_job_id as string;
  return { id, job: (await get(`/${id}`, more.as)).json, results: (await get(`/${id}/results`, more.as)).json };
}

describe('an upload', () => {
  it('returns a location below the base path', async () => {
    const behindProxy = await startHttpApp({ publicUrl: { origin: 'https://traces.example', basePath: '/misstep' } });
    const { apiKey } = await behindProxy.newTenant();
    const request = { credential: apiKey, headers: NDJSON, body: Buffer.from(linesOf(1)) };
    const answer = await behindProxy.send({ ...request, path: `/misstep${PATH}` });
    expect(answer.headers.location).toBe(`/misstep${PATH}/${answer.json.import_job_id}`);
    await behindProxy.close();
  });

  it('is accepted at once and reports its progress while it runs and after it ended', async () => {
    const answer = await upload(linesOf(1, 2));
    expect(answer).toMatchObject({ status: 202, json: { status: 'queued', records_done: 0, progress: 0 } });
    const id = answer.json.import_job_id as string;
    expect(id).toMatch(/^imp_/);
    expect(answer.headers.location).toBe(`${PATH}/${id}`);
    await http.services.imports.runDue(1);
    expect((await get(`/${id}`)).json).toMatchObject({
      status: 'completed',
      progress: 1,
      records_done: 8,
      records_failed: 0,
      spans_accepted: 8,
      formats: ['misstep-spans'],
      failure: null,
    });
    expect((await get(`/${id}/results`)).json).toMatchObject({
      trace_count: 2,
      trace_ids: [traceIdOf(1), traceIdOf(2)],
      errors: [],
      has_more: false,
    });
    expect((await get('')).json.items.map((item: { import_job_id: string }) => item.import_job_id)).toContain(id);
    expect(await spansOf(mine, traceIdOf(1))).toBe(4);
  });

  const gzip = { 'Content-Type': 'application/gzip' };
  it.each([
    ['one OTLP document', () => encodeOtlpJson(runSpans(11)), { headers: { 'Content-Type': 'application/json' } }, 11],
    ['a packed body', () => gzipSync(linesOf(12)), { headers: { ...NDJSON, 'Content-Encoding': 'gzip' } }, 12],
    ['a packed file', () => gzipSync(linesOf(13)), { headers: gzip }, 13],
    ['a file compressed twice', () => gzipSync(gzipSync(linesOf(14))), { headers: gzip }, 14],
    ['an array', () => `[${linesOf(15).trim().replaceAll('\n', ',')}]`, {}, 15],
    ['an array over several lines', () => `[\n${linesOf(16).trim().replaceAll('\n', ',\n  ')}\n]`, {}, 16],
    ['a named format', () => linesOf(17), { query: '?format=misstep-spans' }, 17],
  ] as const)('takes %s', async (_name, body, more, trace) => {
    const { job } = await uploaded(body(), more);
    expect(job).toMatchObject({ status: 'completed', spans_accepted: 4, progress: 1 });
    expect(await spansOf(mine, traceIdOf(trace))).toBe(4);
  });

  it('accepts a form and ignores its other fields', async () => {
    const { body, headers } = form([
      { name: 'note', body: 'of no use' },
      { name: 'file', fileName: '../../etc/run one.jsonl', type: 'application/x-ndjson', body: linesOf(21) },
      { name: 'file', fileName: 'second.jsonl', body: linesOf(22) },
    ]);
    const { job } = await uploaded(body, { headers });
    expect(job).toMatchObject({ status: 'completed', file_name: 'run one.jsonl', spans_accepted: 4 });
    await expect(spansOf(mine, traceIdOf(22))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is deleted from the disk after the import', async () => {
    await uploaded(linesOf(23));
    expect(await readdir(join(http.dataFolder, 'imports'))).toEqual([]);
  });

  it('causes alerts only with `alert`', async () => {
    await uploaded(linesOf(24));
    await uploaded(linesOf(25), { query: '?alert=true' });
    const rows = await http.app.store.db
      .selectFrom('traces')
      .select(['trace_id', 'is_history'])
      .where('trace_id', 'in', [traceIdOf(24), traceIdOf(25)])
      .orderBy('trace_id')
      .execute();
    expect(rows.map((row) => row.is_history)).toEqual([1, 0]);
  });

  it('with an idempotency key creates one job', async () => {
    const headers = { ...NDJSON, 'Idempotency-Key': 'once' };
    const first = await upload(linesOf(26), { headers });
    const again = await upload(linesOf(26), { headers });
    expect(again).toMatchObject({ status: 202, json: { import_job_id: first.json.import_job_id } });
    expect(await upload(linesOf(27), { headers })).toMatchObject({
      status: 422,
      json: { code: 'idempotency_conflict' },
    });
    await http.services.imports.runDue(10);
  });
});

describe('bad content', () => {
  it('fails only its record, which the error names by line', async () => {
    const lines = linesOf(31).trim().split('\n');
    const body = [lines[0], '{"broken', lines[1], '{"unknown":1}', '', lines[2], lines[3]].join('\n');
    const { job, results } = await uploaded(body);
    expect(job).toMatchObject({
      status: 'completed_with_errors',
      records_done: 6,
      records_failed: 2,
      spans_accepted: 4,
      error_count: 2,
    });
    expect(results.errors).toMatchObject([
      { record: 1, line: 2 },
      { record: 3, line: 4, message: expect.stringContaining('unknown') },
    ]);
    expect(await spansOf(mine, traceIdOf(31))).toBe(4);
  });

  it.each([
    ['nothing known', '{"a":1}\n{"b":2}\n', /Nothing in the file could be imported.*Known formats: OTLP/],
    ['an empty file', '', /no records/],
    ['blank lines', '\n\n \n', /empty/],
    ['broken gzip', Buffer.concat([gzipSync(linesOf(32)).subarray(0, 60)]), /not valid gzip/],
    ['no JSON at all', Buffer.from([1, 2, 3, 250, 251]), /Nothing in the file could be imported.*Known formats: OTLP/],
  ] as const)('fails the job: %s', async (_name, body, failure) => {
    const { job } = await uploaded(body);
    expect(job).toMatchObject({ status: 'failed', failure: expect.stringMatching(failure) });
  });

  it.each([
    ['text', { 'Content-Type': 'text/plain' }, 'x', 415, 'unsupported_media_type'],
    ['an unknown coding', { ...NDJSON, 'Content-Encoding': 'br' }, 'x', 415, 'unsupported_media_type'],
    ['a form without boundary', { 'Content-Type': 'multipart/form-data' }, 'x', 400, 'malformed'],
    [
      'a form without file',
      form([{ name: 'other', body: 'x' }]).headers,
      form([{ name: 'other', body: 'x' }]).body,
      422,
      'invalid_body',
    ],
    [
      'a truncated form',
      form([]).headers,
      form([{ name: 'file', fileName: 'f', body: 'x' }]).body.subarray(0, 80),
      400,
      'malformed',
    ],
  ] as const)('is refused: %s', async (_name, headers, body, status, code) => {
    expect(await upload(body, { headers })).toMatchObject({ status, json: { code } });
  });

  it.each([
    ['an unknown format', '?format=nonsense', '?format'],
    ['an unknown name', '?nonsense=1', '?nonsense'],
    ['no boolean', '?alert=1', '?alert'],
  ])('in the query is refused: %s', async (_name, query, pointer) => {
    expect(await upload(linesOf(1), { query })).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
  });

  it('that is too large is refused, with or without a Content-Length', async () => {
    const large = Buffer.alloc(MAX_UPLOAD_BYTES + 1, 0x20);
    expect(await upload(large)).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    const inForm = form([{ name: 'file', fileName: 'large.json', body: large }]);
    expect(await upload(inForm.body, { headers: inForm.headers })).toMatchObject({ status: 413 });
    expect(await readdir(join(http.dataFolder, 'imports'))).toEqual([]);
  }, 30_000);
});

describe('deleting a job', () => {
  it('cancels an open job and deletes an ended one', async () => {
    const { json } = await upload(linesOf(41));
    const remove = () =>
      http.send({ method: 'DELETE', path: `${PATH}/${json.import_job_id}`, credential: mine.apiKey });
    expect(await remove()).toMatchObject({ status: 204 });
    expect((await get(`/${json.import_job_id}`)).json).toMatchObject({ status: 'cancelled', spans_accepted: 0 });
    await http.services.imports.runDue(10);
    await expect(spansOf(mine, traceIdOf(41))).rejects.toMatchObject({ code: 'not_found' });
    expect(await remove()).toMatchObject({ status: 204 });
    expect(await get(`/${json.import_job_id}`)).toMatchObject({ status: 404 });
  });
});

describe('permissions', () => {
  it('to upload: a key with the scope write', async () => {
    const send = (credential: string | null, headers: Record<string, string> = NDJSON) =>
      http.send({ method: 'POST', path: PATH, credential, headers, body: Buffer.from(linesOf(1)) });
    expect(await send(null)).toMatchObject({ status: 401 });
    expect(await send(await http.newKey(mine.tenantId, ['ingest', 'read', 'admin']))).toMatchObject({ status: 403 });
    expect(await send(await http.newKey(mine.tenantId, ['write']))).toMatchObject({ status: 202 });
    expect(await send(null, { ...NDJSON, Authorization: `Bearer ${OPERATOR_TOKEN}` })).toMatchObject({ status: 403 });
    await http.services.imports.runDue(10);
  });

  it('to read a job: only its tenant', async () => {
    const other = await http.newTenant('other');
    const { id } = await uploaded(linesOf(51));
    for (const path of [`/${id}`, `/${id}/results`])
      expect(await get(path, other)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    expect((await get('', other)).json).toMatchObject({ items: [], total: 0 });
    const removed = await http.send({ method: 'DELETE', path: `${PATH}/${id}`, credential: other.apiKey });
    expect(removed).toMatchObject({ status: 404 });
    await expect(spansOf(other, traceIdOf(51))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('answers 405 with the allowed methods', async () => {
    const answer = await http.send({ method: 'PUT', path: PATH, credential: mine.apiKey, body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toMatch(/GET.*POST|POST.*GET/);
  });
});
