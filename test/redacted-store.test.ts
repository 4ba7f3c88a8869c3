import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/core/json.ts';
import { decodeChunk } from '../src/store/span-chunk.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { storeDetection } from './support/stored-detection.ts';

/** Sends a secret in every field that a sender can fill, through the real routes, and searches all stored data. */

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant('desk');
});
afterAll(() => http.close());

/** A separate token for each field; created at run time, so that scanners do not report this file as a leak. */
function newSecret(): string {
  return ['s', 'k-proj-', randomBytes(24).toString('base64url').replace(/[-_]/g, 'x'), '7Q'].join('');
}

const encodings: [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['in base64', (secret) => Buffer.from(secret).toString('base64').replaceAll('=', '')],
  ['in base64 behind a byte', (secret) => Buffer.from(`u${secret}`).toString('base64').slice(4, -4)],
  ['in hex', (secret) => Buffer.from(secret).toString('hex')],
];

/** Every row of every table with chunks decompressed, and every other file of the data folder. */
function allStoredTexts(): string {
  const texts: string[] = [];
  const db = new Sqlite(join(http.dataFolder, 'misstep.db'), { readonly: true });
  const tables = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  for (const table of tables) {
    for (const row of db.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]) {
      texts.push(
        ...Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : `${value}`)),
      );
      if (table === 'span_chunks') texts.push(spansText(decodeChunk(row.data as Buffer, row.trace_id as string)));
    }
  }
  db.close();
  for (const name of readdirSync(http.dataFolder, { recursive: true }) as string[]) {
    const path = join(http.dataFolder, name);
    if (statSync(path).isFile() && !name.startsWith('misstep.db')) texts.push(readFileSync(path, 'latin1'));
  }
  return texts.join('\n');
}

/** With bytes also as text. */
function spansText(spans: unknown): string {
  const text = JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  const bytes = [...text.matchAll(/"\$bytes":"([^"]*)"/g)].map(([, base64]) =>
    Buffer.from(base64!, 'base64').toString(),
  );
  return [text, ...bytes].join('\n');
}

function expectNoSecret(secrets: readonly string[]): void {
  const stored = allStoredTexts();
  const found = secrets.flatMap((secret, at) =>
    encodings.flatMap(([name, encode]) => (stored.includes(encode(secret)) ? [`secret ${at} ${name}`] : [])),
  );
  expect(found).toEqual([]);
}

async function post(path: string, body: Json | Buffer, headers: Record<string, string> = {}) {
  const response = await http.send({ method: 'POST', path, credential: tenant.apiKey, body, headers });
  expect(response.status, response.text).toBeLessThan(300);
  return response;
}

const text = (value: string) => ({ stringValue: value });
const attribute = (key: string, value: JsonObject) => ({ key, value });

/** One span with a secret in each field of OTLP. */
function fullSpan(secret: () => string, id: string): JsonObject {
  return {
    traceId: `trace ${id}`,
    spanId: `span ${id}`,
    parentSpanId: `parent ${id}`,
    name: `call ${secret()}`,
    kind: 1,
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000001000000000',
    status: { code: 2, message: `bad ${secret()}` },
    attributes: [
      attribute('plain', text(`it is ${secret()}.`)),
      attribute(`key ${secret()}`, text('value')),
      attribute('list', { arrayValue: { values: [text(secret()), { intValue: '7' }] } }),
      attribute('map', { kvlistValue: { values: [attribute(`inner ${secret()}`, text(secret()))] } }),
      attribute('bytes', { bytesValue: Buffer.from(`hidden ${secret()}`).toString('base64') }),
      attribute('session.id', text(`session ${secret()}`)),
      attribute('thread_id', text(`thread ${secret()}`)),
      attribute('langgraph.checkpoint_id', text(`checkpoint ${secret()}`)),
      attribute('gen_ai.agent.name', text(`agent ${secret()}`)),
      attribute('gen_ai.tool.name', text(`tool ${secret()}`)),
      attribute('graphruntime.state', text(JSON.stringify({ deep: [{ [secret()]: secret() }] }))),
      attribute('encoded', text(Buffer.from(`user:${secret()}`).toString('base64'))),
    ],
    events: [
      {
        timeUnixNano: '1790000000500000000',
        name: `event ${secret()}`,
        attributes: [attribute(secret(), text(secret()))],
      },
    ],
    links: [
      { traceId: `link ${secret()}`, spanId: `link ${secret()}`, attributes: [attribute('why', text(secret()))] },
    ],
  };
}

const bodyOf = (secret: () => string, spans: JsonObject[]): JsonObject => ({
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', text('svc')), attribute('host', text(secret()))] },
      scopeSpans: [{ scope: { name: `scope ${secret()}`, version: secret() }, spans }],
    },
  ],
});

/** Creates secrets and records them. */
function secretSource() {
  const all: string[] = [];
  const next = () => {
    all.push(newSecret());
    return all.at(-1)!;
  };
  return { all, next };
}

describe('no stored data contains a sent secret', () => {
  it('in any field of an OTLP span', async () => {
    const { all, next } = secretSource();
    await post(`/api/v1/tenants/${tenant.tenantId}/traces/ingest`, bodyOf(next, [fullSpan(next, next())]));
    expect(all.length).toBeGreaterThan(24);
    expectNoSecret(all);
  });

  it('and the search finds ordinary text in each of those fields', async () => {
    const all: string[] = [];
    const next = () => {
      all.push(`ordinary word ${all.length}.`);
      return all.at(-1)!;
    };
    await post(`/api/v1/tenants/${tenant.tenantId}/traces/ingest`, bodyOf(next, [fullSpan(next, next())]));
    const stored = allStoredTexts();
    // The one in base64 is unchanged.
    expect(all.filter((word) => !stored.includes(word)).length).toBeLessThanOrEqual(1);
    expect(stored).toContain('it is [redacted:api_key:');
  });

  it('in log records, hook records, conversations, webhooks and imports', async () => {
    const { all, next } = secretSource();
    const session = { session_id: `session ${next()}`, cwd: `/tmp/${next()}` };
    await post('/api/v1/traces/cli-agent/ingest', {
      ...session,
      hook_event_name: 'UserPromptSubmit',
      prompt: `use ${next()}`,
    });
    await post('/api/v1/traces/cli-agent/ingest', {
      ...session,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: `curl -H 'x: ${next()}'`, [`key ${next()}`]: 1 },
      tool_response: { stdout: next() },
    });
    await post(`/api/v1/tenants/${tenant.tenantId}/conversations/ingest`, {
      format: 'generic',
      data: {
        conversation_id: `talk ${next()}`,
        turns: [{ role: 'user', name: `ada ${next()}`, content: `it is ${next()}` }],
      },
    });
    await post('/v1/logs', logBody(next));
    const app = await post('/api/v1/llmapps/apps', { name: 'Recipes' });
    const run = next();
    for (const event of ['workflow_started', 'workflow_finished'])
      await post(app.json.webhook.path, {
        event,
        workflow_run_id: `run ${run}`,
        task_id: 'task',
        data: {
          id: `run ${run}`,
          workflow_id: 'w',
          status: 'succeeded',
          inputs: { query: next() },
          outputs: { response: next() },
          error: next(),
          created_at: 1_790_000_000,
          finished_at: 1_790_000_001,
        },
      });
    const lines = [JSON.stringify(bodyOf(next, [fullSpan(next, next())])), `{"broken": "${next()}`].join('\n');
    await post(`/api/v1/import-jobs?file_name=${next()}.jsonl`, Buffer.from(lines), {
      'content-type': 'application/x-ndjson',
    });
    await http.services.imports.runDue(10);
    expectNoSecret(all);
  });

  it('in feedback, names of registrations and healing operations', async () => {
    const { all, next } = secretSource();
    const base = `/api/v1/tenants/${tenant.tenantId}`;
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_told');
    await post(`${base}/feedback`, {
      detection_id: 'det_told',
      feedback_type: 'false_positive',
      comment: `it used ${next()} there`,
    });
    await post(`${base}/detections/det_told/validate`, { is_valid: true, feedback: `the key was ${next()}` });
    const named = () => ({ name: `Recipes ${next()}`, description: `for ${next()}` });
    const app = await post('/api/v1/llmapps/apps', named());
    const change = { method: 'PUT', path: `/api/v1/integrations/${app.json.app_id}`, body: named() };
    expect((await http.send({ ...change, credential: tenant.apiKey })).status).toBe(200);
    const operation = await post(`${base}/healing/operations`, {
      detection_id: 'det_told',
      executor: 'manual',
      target: { description: `the prompt with ${next()}` },
      changes: [{ target: `prompt ${next()}`, format: 'text', before: `old ${next()}`, after: `new ${next()}` }],
    });
    const path = `${base}/healing/operations/${operation.json.operation_id}`;
    await post(`${path}/approve`, { note: `as ${next()} says` });
    expect(all).toHaveLength(11);
    expectNoSecret(all);
    const stored = allStoredTexts();
    for (const kept of ['it used [redacted:api_key:', 'Recipes [redacted:api_key:', 'new [redacted:api_key:'])
      expect(stored).toContain(kept);
  });

  it('when a later request of the trace sends it in another form', async () => {
    const password = ['Tr0ub', 'ador', '&3x'].join('');
    const send = (value: string, spanId: string) => {
      const span = {
        traceId: 'later',
        spanId,
        name: 'x',
        startTimeUnixNano: '1',
        endTimeUnixNano: '2',
        attributes: [attribute('note', text(value))],
      };
      return post(
        `/api/v1/tenants/${tenant.tenantId}/traces/ingest`,
        bodyOf(() => 'plain', [span]),
      );
    };
    await send(`password: "${password}"`, 'a');
    await send(`as base64 ${Buffer.from(`ada:${password}`).toString('base64')}`, 'b');
    await send(`as hex ${Buffer.from(password).toString('hex')} and plain ${password}`, 'c');
    expectNoSecret([password]);
  });
});

function logBody(next: () => string): JsonObject {
  const record = {
    timeUnixNano: '1790000000000000000',
    eventName: 'claude_code.user_prompt',
    body: text(`body ${next()}`),
    attributes: [
      attribute('event.name', text('user_prompt')),
      attribute('session.id', text(`session ${next()}`)),
      attribute('prompt', text(`my token ${next()}`)),
      attribute(`key ${next()}`, text(next())),
    ],
  };
  return {
    resourceLogs: [
      {
        resource: { attributes: [attribute('service.name', text('claude-code'))] },
        scopeLogs: [{ scope: { name: 'com.anthropic.claude_code.events' }, logRecords: [record] }],
      },
    ],
  };
}

describe('ids that contain a secret', () => {
  it('become the same keyed hash in every request, as parents and links too', async () => {
    const id = `run ${newSecret()}`;
    const path = `/api/v1/tenants/${tenant.tenantId}/traces/ingest`;
    const span = (spanId: string, more: JsonObject) => ({
      traceId: id,
      spanId,
      name: 'n',
      startTimeUnixNano: '1',
      endTimeUnixNano: '2',
      ...more,
    });
    const first = await post(
      path,
      bodyOf(() => 'plain', [span(id, {})]),
    );
    const second = await post(
      path,
      bodyOf(() => 'plain', [span('child', { parentSpanId: id, links: [{ traceId: id, spanId: id }] })]),
    );
    expect(second.json.trace_ids).toEqual(first.json.trace_ids);
    const [traceId] = first.json.trace_ids as [string];
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    const trace = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`,
      credential: tenant.apiKey,
    });
    const spans = trace.json.spans as { span_id: string; parent_span_id: string | null }[];
    expect(spans).toHaveLength(2);
    expect(spans.find((each) => each.span_id === 'child')!.parent_span_id).toBe(
      spans.find((each) => each.span_id !== 'child')!.span_id,
    );
  });
});

describe('errors', () => {
  it('do not repeat a secret', async () => {
    const secret = newSecret();
    for (const [path, body] of [
      [`/tenants/${tenant.tenantId}/traces/${secret}`, null],
      [`/tenants/${tenant.tenantId}/feedback`, { [secret]: 1 }],
      [`/tenants/${tenant.tenantId}/conversations/ingest`, { format: secret, data: {} }],
    ] as const) {
      const method = body === null ? 'GET' : 'POST';
      const response = await http.send({
        method,
        path: `/api/v1${path}`,
        credential: tenant.apiKey,
        ...(body === null ? {} : { body }),
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.text).not.toContain(secret);
    }
  });
});
