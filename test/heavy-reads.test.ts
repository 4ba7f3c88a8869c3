import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { workerEntry } from '../src/app/runtime-assets.ts';
import { decodeOtlpJson } from '../src/formats/otlp/decode-json.ts';
import { TaskPool } from '../src/jobs/task-pool.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { longTrace } from './support/long-trace.ts';

const SPANS = 50_000;
const trace = longTrace({ spans: SPANS, startMs: Date.UTC(2026, 0, 15, 10), textLength: 60 });

let http: HttpFixture;
let pool: TaskPool;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  const openTasks = (file: string) => (pool = new TaskPool({ size: 2, entry: workerEntry(), store: { file } }));
  // Other tests validate responses against their schemas, which disables streaming.
  http = await startHttpApp({ validatesOutput: false }, { maxQueuedSpans: 1e6 }, { openTasks });
  tenant = await http.newTenant('long');
  other = await http.newTenant('other');
  for (const body of trace.bodies)
    await http.services.ingest.ingestSpans(tenant.tenantId, decodeOtlpJson(Buffer.from(body)));
}, 120_000);
afterAll(() => http.close());

const pathOf = (rest = '') => `/api/v1/tenants/${tenant.tenantId}/traces/${trace.traceId}${rest}`;
const read = (rest = '') => http.send({ path: pathOf(rest), credential: tenant.apiKey });

/** Requests the trace and closes the connection when the response begins, or at once. */
function leave(when: 'at once' | 'at the first bytes'): Promise<void> {
  return new Promise((done) => {
    const outgoing = request(http.url + pathOf(), { headers: { 'X-SVC-API-Key': tenant.apiKey } }, (answer) => {
      answer.once('data', () => {
        outgoing.destroy();
        done();
      });
    });
    outgoing.on('error', () => {});
    outgoing.end();
    if (when === 'at once') {
      setTimeout(() => {
        outgoing.destroy();
        done();
      }, 50);
    }
  });
}

describe('a trace of 50,000 spans', { timeout: 240_000 }, () => {
  it('is read in full while other requests are answered', async () => {
    let isRead = false;
    const whole = read().finally(() => {
      isRead = true;
    });
    let answered = 0;
    while (!isRead) {
      const list = await http.send({ path: `/api/v1/tenants/${other.tenantId}/traces`, credential: other.apiKey });
      expect(list.status).toBe(200);
      if (!isRead) answered += 1;
    }
    // If it ran on the event loop of the server, they would all wait for its end.
    expect(answered).toBeGreaterThan(20);
    const { json } = await whole;
    expect(json.spans).toHaveLength(SPANS);
    expect(json.spans[49_999]).toMatchObject({ span_id: '000000000000c350', step: { index: 49_999 } });
  });

  it('is outlined in at most 2.6 MB', async () => {
    const { bytes, json } = await read('/outline');
    expect(bytes.length).toBeLessThan(2_600_000);
    expect(json.total).toBe(SPANS);
    const { columns } = json;
    for (const column of Object.values(columns)) expect(column).toHaveLength(SPANS);
    const at = 12_345;
    const [span] = (await read(`/spans?from_step=${at}&count=1`)).json.items;
    expect({
      span_id: columns.span_id[at],
      name: json.names[columns.name[at]],
      kind: json.kinds[columns.kind[at]],
      agent: json.agents[columns.agent[at]] ?? null,
      model: json.models[columns.model[at]] ?? null,
      parent: columns.span_id[at - columns.parent[at]],
      tokens: columns.tokens[at],
      status: Number(columns.status[at]),
      duration: columns.duration_us[at] / 1000,
    }).toEqual({
      span_id: span.span_id,
      name: span.name,
      kind: span.step.kind,
      agent: span.step.agent_id,
      model: span.step.model,
      parent: span.parent_span_id,
      tokens: span.step.tokens.total ?? 0,
      status: span.status.code,
      duration: span.duration_ms,
    });
    const startUs = columns.start_us.slice(0, at + 1).reduce((sum: number, step: number) => sum + step, 0);
    expect(BigInt(json.base_unix_us) + BigInt(startUs)).toBe(BigInt(span.start_time_unix_nano) / 1000n);
  });

  it('has a graph of its agents and tools', async () => {
    const { nodes, edges, note } = (await read('/graph')).json;
    const steps = (kind: string) =>
      nodes.reduce(
        (sum: number, node: { kind: string; steps: number }) => sum + (node.kind === kind ? node.steps : 0),
        0,
      );
    expect(nodes).toHaveLength(10);
    // Every third step calls a tool, but the first of each hundred is an agent.
    const tools = Array.from({ length: SPANS }, (_, at) => at).filter((at) => at % 3 === 2 && at % 100 !== 0).length;
    expect([steps('agent'), steps('tool'), note]).toEqual([SPANS, tools, null]);
    const calls = edges.filter(({ kind }: { kind: string }) => kind === 'call');
    expect(calls.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(tools);
  });

  it('is searched in parts', async () => {
    const { items, next_step } = (await read('/find?text=item%2049999&count=5')).json;
    expect(items.map(({ step }: { step: number }) => step)).toContain(49_999);
    expect(next_step).toBeNull();
    const first = (await read('/find?text=ITEM&count=10')).json;
    expect(first.items.length).toBeGreaterThanOrEqual(10);
    expect(first.next_step).toBeLessThan(20);
  });

  it('frees its worker when the client disconnects', async () => {
    await leave('at the first bytes');
    await leave('at once');
    await vi.waitFor(() => expect(pool.load).toEqual({ running: 0, waiting: 0 }), { timeout: 60_000, interval: 20 });
    expect((await read('/spans/000000000000c350')).status).toBe(200);
  });

  it('never occupies all workers, regardless of the number of requests of its tenant', async () => {
    const reads = Array.from({ length: 6 }, () => read());
    await vi.waitFor(() => expect(pool.load).toEqual({ running: 1, waiting: 5 }), { timeout: 60_000, interval: 5 });
    const path = `/api/v1/tenants/${other.tenantId}/traces/${trace.traceId}`;
    expect((await http.send({ path, credential: other.apiKey })).status).toBe(404);
    expect(pool.load.waiting).toBeGreaterThan(0);
    const answers = await Promise.all(reads);
    for (const { status, headers } of answers) {
      if (status === 503) expect(headers['retry-after']).toBe('2');
      else expect(status).toBe(200);
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });
});
