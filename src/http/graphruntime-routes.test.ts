import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { type LangGraphStandIn, startLangGraphStandIn } from '../../test/support/langgraph-server.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { LANGGRAPH } from '../features/langgraph/langgraph.services.ts';
import { runTraceId } from '../formats/langgraph-server/run-span.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/langgraph-server');
const read = (file: string) => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
const WEBHOOK: JsonObject = read('floor-plan.webhook.json');
const HISTORY: JsonObject[] = read('floor-plan.history.json');
const THREAD = String(WEBHOOK.thread_id);
const RUN = String(WEBHOOK.run_id);
/** Spans of the run: its root and its nodes. */
const ALL_SPANS = 11;

let http: HttpFixture;
let graph: LangGraphStandIn;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
});
beforeEach(async () => {
  tenant = await http.newTenant('desk');
  graph = await startLangGraphStandIn();
  graph.threads.set(THREAD, HISTORY);
});
afterEach(() => graph.close());
afterAll(() => http.close());

const post = (path: string, body: Json, credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `/api/v1/graphruntime${path}`, credential, body });
const get = (path: string) => http.send({ path: `/api/v1${path}`, credential: tenant.apiKey });

async function register(more: JsonObject = {}) {
  const answer = await post('/deployments', { name: 'plans', url: graph.url, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { deployment_id: string; webhook: { path: string; secret: string } };
}

/** Sends as LangGraph does: JSON as text/plain without key and signature. */
const sendWebhook = (path: string, body: Json = WEBHOOK) =>
  http.send({
    method: 'POST',
    path,
    body: Buffer.from(JSON.stringify(body)),
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': 'node' },
  });

const fetchDue = async () => {
  while ((await http.services.platforms.of(LANGGRAPH).histories.runDue(50)) > 0);
};

async function traceOf(runId = RUN) {
  const answer = await get(`/tenants/${tenant.tenantId}/traces/${runTraceId(runId)}`);
  return answer.json;
}
const spanCount = async (runId = RUN) => (await traceOf(runId)).spans?.length;

/** Queued and failed jobs with their error and the milliseconds until they are due. */
async function waiting() {
  const rows = await http.app.store.db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', 'langgraph-history')
    .where('key', 'like', `%${THREAD}%`)
    .execute();
  return rows.map(({ last_error, run_at }) => ({ why: last_error, inMs: Number(run_at) - http.clock.now() }));
}
const deleteJobs = () => http.app.store.db.deleteFrom('jobs').where('kind', '=', 'langgraph-history').execute();
afterEach(() => deleteJobs());

/** States of a second run of the thread, which continues from a state of the first; newest first. */
function stateOf(runId: string, step: number): JsonObject[] {
  const metadataOf = (state: JsonObject) => state.metadata as JsonObject;
  const parent = HISTORY.find((state) => metadataOf(state).step === step)!;
  const ids = [1, 2, 3].map((at) => ({
    ...(parent.checkpoint as JsonObject),
    checkpoint_id: `77777777-000${at}-6000-8000-000000000000`,
  }));
  const tasks = ['__start__', 'architect'].map((name) => [
    { id: `${runId}-${name}`, name, error: null, interrupts: [], result: { rounds: 9 } },
  ]);
  const states = ids.map((checkpoint, at) => ({
    ...parent,
    checkpoint,
    parent_checkpoint: at === 0 ? parent.checkpoint! : ids[at - 1]!,
    metadata: { ...metadataOf(parent), run_id: runId, step: step + 1 + at, source: at === 0 ? 'input' : 'loop' },
    created_at: `2026-05-04T10:00:0${at}.000Z`,
    next: at === 2 ? [] : [tasks[at]![0]!.name],
    tasks: tasks[at] ?? [],
  }));
  return states.toReversed();
}

describe('the completion of a run', () => {
  it('is stored at once, and completed with nodes and states from the history of its thread', async () => {
    const { webhook } = await register();
    const answer = await sendWebhook(webhook.path);
    expect([answer.status, answer.json]).toEqual([
      202,
      { accepted_spans: 1, rejected_spans: 0, trace_ids: [runTraceId(RUN)], errors: [] },
    ]);
    expect([await spanCount(), graph.requests]).toEqual([1, []]);
    await fetchDue();
    expect(graph.requests).toMatchObject([{ method: 'GET', path: `/threads/${THREAD}/history?limit=50` }]);
    const trace = await traceOf();
    expect([trace.spans.length, trace.states.length > 5]).toEqual([ALL_SPANS, true]);
    // The history does not state how the run ended, so the end reported by the webhook stays.
    const root = trace.spans.find((span: { parent_span_id: string | null }) => span.parent_span_id === null);
    expect(root).toMatchObject({ attributes: { 'error.type': 'GraphRecursionError' } });
    expect(await waiting()).toEqual([]);
  });

  it('names the agents that looped until the step limit', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const { items } = (await get(`/tenants/${tenant.tenantId}/detections`)).json;
    const loops = items.filter((found: { detection_type: string }) => found.detection_type === 'loop');
    expect(loops.map((found: { subtype: string }) => found.subtype)).toContain('recursion_limit');
    for (const { agent_id } of loops) expect(['architect', 'reviewer']).toContain(agent_id);
  });

  it.each<[string, number, boolean]>([
    ['the newest state of its thread', 8, false],
    ['an older one', 3, true],
  ])('that continues from %s', async (_, step, isStale) => {
    const second = '99999999-ae89-5985-ab8b-b8c566171b57';
    graph.threads.set(THREAD, [...stateOf(second, step), ...HISTORY]);
    const { webhook } = await register();
    await sendWebhook(webhook.path, { ...WEBHOOK, run_id: second, status: 'success', error: null });
    await fetchDue();
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const query = `?trace_id=${runTraceId(second)}&detection_type=state_corruption`;
    const { items } = (await get(`/tenants/${tenant.tenantId}/detections${query}`)).json;
    expect(items.map(({ subtype }: { subtype: string }) => subtype)).toEqual(isStale ? ['stale_checkpoint'] : []);
    expect(await spanCount(second)).toBe(3);
  });

  it('is stored once when it is sent repeatedly', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(graph.requests).toHaveLength(1);
    const again = await sendWebhook(webhook.path);
    await fetchDue();
    expect([again.json.accepted_spans, await spanCount(), graph.requests.length]).toEqual([0, ALL_SPANS, 1]);
  });

  it.each<[string, JsonObject]>([
    ['that continues', { status: 'running' }],
    ['whose thread is deleted at its end', { kwargs: { temporary: true } }],
    ['without a thread', { thread_id: null }],
    ['whose thread id is a path', { thread_id: '../../secrets' }],
    ['whose thread id is only dots', { thread_id: '..' }],
    ['whose thread id is very long', { thread_id: 'x'.repeat(129) }],
  ])('%s fetches no history', async (_name, change) => {
    const { webhook } = await register();
    expect((await sendWebhook(webhook.path, { ...WEBHOOK, ...change })).status).toBe(202);
    await fetchDue();
    expect([graph.requests, await spanCount()]).toEqual([[], 1]);
  });

  it('sends events of its nodes to the stream', async () => {
    const { webhook } = await register();
    const received: string[] = [];
    const tenantNo = Number((await http.app.store.db.selectFrom('tenants').selectAll().execute()).at(-1)?.tenant_no);
    const { stop } = http.services.streams.subscribe(tenantNo, 'graphruntime', null, {
      receive: ({ event, data }) => received.push(`${event} ${data.span_count} ${data.source}`),
      end: () => {},
    });
    await sendWebhook(webhook.path);
    await fetchDue();
    stop();
    expect(received).toEqual(['execution.finished 1 webhook', `execution.updated ${ALL_SPANS - 1} sync`]);
  });
});

describe('the deployment of a run', () => {
  const byKey = (body: Json) => post('/webhook', body);

  it('is the only registered one', async () => {
    await register();
    await byKey(WEBHOOK);
    await fetchDue();
    expect(await spanCount()).toBe(ALL_SPANS);
  });

  it.each([
    ['the id of its assistant', { graph_id: 'other', external_id: String(WEBHOOK.assistant_id) }],
    ['its graph', { graph_id: 'floor-plan' }],
  ])('is found among several by %s', async (_name, assistant) => {
    const { deployment_id } = await register();
    await register({ name: 'elsewhere', url: 'http://127.0.0.1:9' });
    const created = await post('/assistants', { name: 'planner', deployment_id, ...assistant });
    expect(created.status, created.text).toBe(201);
    await byKey(WEBHOOK);
    await fetchDue();
    expect(await spanCount()).toBe(ALL_SPANS);
  });

  it('is not guessed', async () => {
    await register();
    await register({ name: 'twin' });
    await byKey(WEBHOOK);
    await fetchDue();
    expect([graph.requests, await spanCount()]).toEqual([[], 1]);
  });

  it('is requested with its credentials', async () => {
    graph.apiKey = 'key-of-the-deployment';
    const { webhook } = await register({ api_key: graph.apiKey, authorization: 'Bearer door' });
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(await spanCount()).toBe(ALL_SPANS);
    expect(graph.requests[0]!.headers).toMatchObject({ 'x-api-key': graph.apiKey, authorization: 'Bearer door' });
    expect((await get('/graphruntime/deployments')).text).not.toMatch(/key-of-the-deployment|Bearer door/);
  });

  it('that was removed is not requested any more', async () => {
    const { webhook, deployment_id } = await register();
    await sendWebhook(webhook.path);
    await http.send({ method: 'DELETE', path: `/api/v1/integrations/${deployment_id}`, credential: tenant.apiKey });
    await fetchDue();
    expect([graph.requests, await spanCount(), await waiting()]).toEqual([[], 1, []]);
  });

  it.each<[string, string, JsonObject, string]>([
    ['without URL', '/deployments', { name: 'x' }, '/url'],
    ['at a cloud’s metadata', '/deployments', { name: 'x', url: 'http://169.254.169.254/' }, '/url'],
    ['of no graph', '/assistants', { name: 'x', deployment_id: 'dep_none' }, '/graph_id'],
    ['of no deployment', '/assistants', { name: 'x', deployment_id: 'dep_none', graph_id: 'g' }, '/deployment_id'],
    [
      'with a path for an id',
      '/assistants',
      { name: 'x', deployment_id: 'd', graph_id: 'g', external_id: '../x' },
      '/external_id',
    ],
  ])('%s is refused', async (_name, path, body, pointer) => {
    const answer = await post(path, body);
    expect([answer.status, answer.json.errors[0]?.pointer], answer.text).toEqual([422, pointer]);
  });
});

describe('a history that cannot be fetched', () => {
  it.each<[string, LangGraphStandIn['faults'][number], RegExp, number]>([
    ['for an error of the server', { status: 500 }, /answered 500/, 5_000],
    ['for a key that is not accepted', { status: 401 }, /does not accept its credentials/, 5_000],
    ['for a limit', { status: 429, headers: { 'retry-after': '90' } }, /answered 429/, 90_000],
    ['for an answer that is not JSON', { status: 200, body: '<html>' }, /not answer with JSON/, 5_000],
    ['for an answer that is not a list', { status: 200, body: '{}' }, /not return a list of states/, 5_000],
    ['for a history without the run', { status: 200, body: '[]' }, /does not contain the run/, 5_000],
  ])('is retried %s', async (_name, fault, why, afterMs) => {
    const { webhook } = await register();
    graph.faults.push(fault);
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(await waiting()).toEqual([{ why: expect.stringMatching(why), inMs: afterMs }]);
    http.clock.advance(afterMs);
    await fetchDue();
    expect([await spanCount(), await waiting()]).toEqual([ALL_SPANS, []]);
  });

  it.each<[string, LangGraphStandIn['faults'][number]]>([
    ['for a missing thread', { status: 404 }],
    ['for an address that moved', { status: 307, headers: { location: 'http://169.254.169.254/' } }],
    ['for rejected ids', { status: 422 }],
  ])('fails permanently %s', async (_name, fault) => {
    const { webhook } = await register();
    graph.faults.push(fault);
    await sendWebhook(webhook.path);
    await fetchDue();
    http.clock.advance(86_400_000);
    await fetchDue();
    expect([graph.requests.length, await spanCount()]).toEqual([1, 1]);
    http.clock.advance(7 * 86_400_000);
    await fetchDue();
    expect([graph.requests.length, await waiting()]).toEqual([1, []]);
  });

  it('fails after eight attempts and is retried when the run is sent again', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    for (let tries = 0; tries < 12; tries += 1) {
      graph.faults = [{ status: 503 }];
      await fetchDue();
      http.clock.advance(3_600_000);
    }
    expect([graph.requests.length, await spanCount()]).toEqual([8, 1]);
    graph.faults = [];
    await sendWebhook(webhook.path);
    await fetchDue();
    expect([await spanCount(), await waiting()]).toEqual([ALL_SPANS, []]);
  });

  it('is listed with the reason until it is fetched', async () => {
    const { webhook, deployment_id } = await register();
    graph.faults.push({ status: 401 });
    await sendWebhook(webhook.path);
    await fetchDue();
    const queued = {
      trace_id: runTraceId(RUN),
      deployment_id,
      thread_id: THREAD,
      run_id: RUN,
      status: 'waiting',
      attempts: 1,
      problem: 'The deployment does not accept its credentials (401).',
      next_try_at: new Date(http.clock.now() + 5_000).toISOString(),
    };
    expect((await get('/graphruntime/fetches')).json).toMatchObject({ items: [queued], total: 1 });
    http.clock.advance(5_000);
    graph.faults.push({ status: 404 });
    await fetchDue();
    const givenUp = { ...queued, status: 'failed', attempts: 8, problem: /has no such thread/, next_try_at: null };
    const { items } = (await get('/graphruntime/fetches')).json;
    expect(items).toEqual([{ ...givenUp, problem: expect.stringMatching(givenUp.problem) }]);
    const other = await http.newTenant('other');
    const otherFetches = await http.send({ path: '/api/v1/graphruntime/fetches', credential: other.apiKey });
    expect(otherFetches.json).toMatchObject({ items: [], total: 0 });
    await sendWebhook(webhook.path);
    await fetchDue();
    expect((await get('/graphruntime/fetches')).json.items).toEqual([]);
  });

  it('is listed page by page', async () => {
    const { webhook } = await register();
    for (const run_id of ['one', 'two', 'three']) await sendWebhook(webhook.path, { ...WEBHOOK, run_id });
    const first = (await get('/graphruntime/fetches?page_size=2')).json;
    const second = (await get(`/graphruntime/fetches?page_size=2&cursor=${first.next_cursor}`)).json;
    const runs = [...first.items, ...second.items].map(({ run_id }: { run_id: string }) => run_id);
    expect([runs.sort(), first.total, second.has_more]).toEqual([['one', 'three', 'two'], 3, false]);
  });

  it('pauses only the deployment that does not answer', async () => {
    const { webhook } = await register();
    graph.faults.push({ status: 503 });
    await sendWebhook(webhook.path);
    await fetchDue();
    await sendWebhook(webhook.path, { ...WEBHOOK, run_id: 'another-run' });
    await fetchDue();
    expect(graph.requests).toHaveLength(1);
    const other = await startLangGraphStandIn();
    other.threads.set(THREAD, HISTORY);
    const { webhook: second } = await register({ name: 'second', url: other.url });
    await sendWebhook(second.path);
    await fetchDue();
    await other.close();
    expect(await spanCount()).toBe(ALL_SPANS);
  });

  it('does not restore a deleted trace', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await http.send({
      method: 'DELETE',
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${runTraceId(RUN)}`,
      credential: tenant.apiKey,
    });
    await fetchDue();
    expect([(await get(`/tenants/${tenant.tenantId}/traces`)).json.total, await waiting()]).toEqual([0, []]);
  });
});

describe('a long thread', () => {
  const withRun = (states: readonly JsonObject[], runId: string) =>
    states.map((state) => ({
      ...state,
      metadata: { ...(state.metadata as JsonObject), run_id: runId },
      checkpoint: { ...(state.checkpoint as JsonObject), checkpoint_id: `${runId}-${idOf(state)}` },
      parent_checkpoint: null,
    }));
  const idOf = (state: JsonObject) => (state.checkpoint as JsonObject).checkpoint_id;
  const repeated = (times: number, word: string) =>
    Array.from({ length: times }, (_, at) => withRun(HISTORY, `${word}-${at}`)).flat();

  it('is read in pages up to the start of the run', async () => {
    graph.threads.set(THREAD, [...repeated(12, 'newer'), ...HISTORY, ...repeated(30, 'older')]);
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    expect([await spanCount(), graph.requests.length]).toEqual([ALL_SPANS, 3]);
    expect((await get(`/tenants/${tenant.tenantId}/traces`)).json.total).toBe(1);
  });

  it('that returns more states than requested is requested in smaller pages', async () => {
    const { webhook } = await register();
    graph.faults.push({ status: 200, body: JSON.stringify(Array(1_001).fill({})) });
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(graph.requests.map(({ path }) => path.split('?')[1])).toEqual(['limit=50', 'limit=12']);
    expect(await spanCount()).toBe(ALL_SPANS);
  });

  it('of large states is read in smaller pages', async () => {
    graph.padding = 17 * 1024 * 1024;
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(await spanCount()).toBe(ALL_SPANS);
    expect(graph.requests.slice(0, 4).map(({ path }) => path.split('?')[1])).toEqual([
      'limit=50',
      'limit=12',
      'limit=3',
      'limit=1',
    ]);
  });
});

describe('a run that continues an interrupted run', () => {
  const EARLIER = HISTORY.slice(4).map((state) => ({
    ...state,
    metadata: { ...(state.metadata as JsonObject), run_id: 'earlier-run' },
  }));
  const found: JsonObject = EARLIER[0]!;
  const task = (found.tasks as JsonObject[])[0]!;

  it.each<[string, JsonObject | undefined, string]>([
    ['from its beginning', { created_at: '2026-05-04T09:29:59.000Z' }, '2026-05-04T09:29:59.000Z'],
    ['from its first state if the interrupted run is missing', undefined, String(HISTORY[3]!.created_at)],
  ])('runs the remaining tasks, %s', async (_name, run, startedAt) => {
    graph.threads.set(THREAD, [
      ...HISTORY.slice(0, 4),
      { ...found, tasks: [{ ...task, interrupts: [{ value: 'sure?' }] }] },
      ...EARLIER.slice(1),
    ]);
    if (run) graph.runs.set(RUN, run);
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    const { spans } = await traceOf();
    const first = spans.find(({ span_id }: { span_id: string }) => span_id === task.id);
    expect([spans.length, Date.parse(first.started_at ?? first.start_time)]).toEqual([6, Date.parse(startedAt)]);
    expect(first.attributes).not.toHaveProperty('langgraph.interrupted');
  });

  it('without new input differs from one that starts again', async () => {
    const [last, ...rest] = HISTORY.slice(0, 4).toReversed() as [JsonObject, ...JsonObject[]];
    const fromInput = { ...last, metadata: { ...(last.metadata as JsonObject), source: 'input' } };
    graph.threads.set(THREAD, [...rest.toReversed(), fromInput, ...EARLIER]);
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    expect(await spanCount()).toBe(5);
  });
});

describe('a graph within the graph', () => {
  const [newest, ...older] = HISTORY as [JsonObject, ...JsonObject[]];
  const reviewer = (older[0]!.tasks as JsonObject[])[0]!;
  const NAMESPACE = `reviewer:${reviewer.id}`;
  const within = (state: JsonObject, tasks: Json): JsonObject => ({
    ...state,
    tasks,
    next: [],
    parent_checkpoint: null,
    checkpoint: { ...(state.checkpoint as JsonObject), checkpoint_ns: NAMESPACE },
  });
  const ran = { ...older[0]!, tasks: [{ ...reviewer, checkpoint: { thread_id: THREAD, checkpoint_ns: NAMESPACE } }] };
  const inner = (id: string) => [within(older[0]!, [{ id, name: 'critic', error: null, result: { ok: false } }])];
  beforeEach(() => {
    graph.threads.set(THREAD, [newest, ran, ...older.slice(1)]);
  });

  it('is fetched, and its nodes are children of the node that ran it', async () => {
    graph.inner.set(NAMESPACE, inner('inner-task'));
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    await fetchDue();
    const { spans } = await traceOf();
    const critic = spans.find(({ name }: { name: string }) => name === 'critic');
    expect([spans.length, critic.parent_span_id]).toEqual([ALL_SPANS + 1, reviewer.id]);
    expect(graph.requests.map(({ body }) => body)).toEqual([
      null,
      { limit: 200, checkpoint: { checkpoint_ns: NAMESPACE } },
    ]);
  });

  it('is omitted if the server does not report it', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    graph.faults.push({ status: 200, body: JSON.stringify(graph.threads.get(THREAD)) }, { status: 422 });
    await fetchDue();
    expect([await spanCount(), await waiting()]).toEqual([ALL_SPANS, []]);
  });

  it('is fetched again with the whole run if the server fails', async () => {
    graph.inner.set(NAMESPACE, inner('inner-task'));
    const { webhook } = await register();
    await sendWebhook(webhook.path);
    graph.faults.push({ status: 200, body: JSON.stringify(graph.threads.get(THREAD)) }, { status: 503 });
    await fetchDue();
    expect([await spanCount(), await waiting()]).toMatchObject([1, [{ inMs: 5_000 }]]);
    http.clock.advance(5_000);
    await fetchDue();
    expect([await spanCount(), await waiting()]).toEqual([ALL_SPANS + 1, []]);
  });
});

describe('a server that stops', () => {
  it('aborts a running fetch and fetches after the next start', async () => {
    const own = await startHttpApp();
    const { apiKey } = await own.newTenant();
    const created = await own.send({
      method: 'POST',
      path: '/api/v1/graphruntime/deployments',
      credential: apiKey,
      body: { name: 'plans', url: graph.url },
    });
    graph.faults.push({ status: 200, isHeld: true });
    await own.send({ method: 'POST', path: created.json.webhook.path, body: WEBHOOK });
    const running = own.services.platforms.of(LANGGRAPH).histories.runDue(50);
    await expect.poll(() => graph.requests.length, { timeout: 60_000 }).toBe(1);
    own.services.platforms.of(LANGGRAPH).histories.close();
    expect(await running).toBe(1);
    const jobs = await own.app.store.db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', 'langgraph-history')
      .execute();
    expect(jobs).toMatchObject([{ attempts: 0, leased_until: 0 }]);
    expect(await own.services.platforms.of(LANGGRAPH).histories.runDue(50)).toBe(0);
    await own.close();
  });
});

const CAPTURES = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../shared/clients/captures'),
  'langgraph-server',
);

describe.skipIf(!existsSync(CAPTURES))('a recording of a real server (needs the recording)', () => {
  const captured = (file: string) => readFileSync(join(CAPTURES, file), 'utf8');

  it('is accepted: four webhooks, and the run with a recorded history is completed', async () => {
    const history = JSON.parse(captured('thread-history.json')) as JsonObject[];
    const bodies = captured('webhooks.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { body: JsonObject }).body);
    graph.threads.set(String(bodies[0]!.thread_id), history);
    const { webhook } = await register();
    for (const body of bodies) expect((await sendWebhook(webhook.path, body)).status).toBe(202);
    await fetchDue();
    const counts = await Promise.all(bodies.map((body) => spanCount(String(body.run_id))));
    // The first has seven tasks, from `__start__` on; of the others no history was recorded.
    expect(counts).toEqual([expect.any(Number), 1, 1, 1]);
    expect(counts[0]).toBeGreaterThanOrEqual(7);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    expect((await traceOf(String(bodies[0]!.run_id))).agent_ids).toEqual(
      expect.arrayContaining(['researcher', 'supervisor', 'writer']),
    );
    expect(graph.requests.some(({ path }) => path.includes(String(bodies[3]!.thread_id)))).toBe(false);
  });
});
