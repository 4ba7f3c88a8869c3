import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type HttpFixture,
  OPERATOR_TOKEN,
  type Sent,
  startHttpApp,
  type Tenant,
} from '../../../test/support/http-app.ts';
import { AGENTS_SDK_PATH } from './openai-agents.ts';

const FIXTURE = readFileSync(new URL('../../../test/fixtures/openai-agents/museum-desk.export.json', import.meta.url));

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const send = (sent: Partial<Sent>) =>
  http.send({
    path: AGENTS_SDK_PATH,
    credential: tenant.apiKey,
    body: FIXTURE,
    headers: { 'Content-Type': 'application/json', 'OpenAI-Beta': 'traces=v1' },
    ...sent,
  });

describe('POST /v1/traces/ingest', () => {
  it('stores a re-sent run of the OpenAI Agents SDK once and names unreadable records', async () => {
    const first = await send({});
    expect(first).toMatchObject({
      status: 202,
      json: { rejected_spans: 2, errors: [{ pointer: '/data/6' }, { pointer: '/data/7' }] },
    });
    expect(
      (
        await send({
          body: gzipSync(FIXTURE),
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        })
      ).json,
    ).toEqual(first.json);
    http.clock.advance(5_000);
    await http.services.analysis.runDue(10);
    const stored = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${first.json.trace_ids[0]}`,
      credential: tenant.apiKey,
    });
    expect(stored.json).toMatchObject({ framework: 'openai-agents', span_count: first.json.accepted_spans });
  });

  it.each<[string, () => Partial<Sent>, number]>([
    ['no credential', () => ({ credential: null }), 401],
    ['the operator, who names no tenant', () => ({ credential: OPERATOR_TOKEN }), 403],
    ['no JSON', () => ({ body: Buffer.from('{') }), 400],
    ['another thing', () => ({ body: Buffer.from('{"data": [{"object": "run"}]}') }), 422],
    ['another type', () => ({ headers: { 'Content-Type': 'text/plain' } }), 415],
    ['GET', () => ({ method: 'GET', body: undefined }), 405],
  ])('refuses %s', async (_name, sent, status) => {
    expect(await send(sent())).toMatchObject({ status, json: { message: expect.any(String) } });
  });
});
