import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeProgram, type Found, type TraceDetail } from '../support/real-program.ts';
import { type Credentials, freePort, get } from '../support/served.ts';

const TIMEOUT_MS = 120_000;
const REQUEST = { role: 'user', content: 'Repair the brakes of the touring bike' };

/** A real LangGraph server next to a Misstep server. */
describeProgram('langgraph-server', {}, (rig) => {
  let platform: string;
  let credentials: Credentials;
  let webhook: string;
  let deploymentId: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    // Threads of an earlier server.
    rmSync(join(rig.home, '.langgraph_api'), { recursive: true, force: true });
    const port = String(await freePort());
    const args = ['dev', '--no-browser', '--no-reload', '-h', '127.0.0.1', '-p', port];
    server = spawn(process.execPath, ['node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs', ...args], {
      cwd: rig.home,
      env: {
        PATH: process.env.PATH,
        HOME: rig.folder,
        MODEL_URL: rig.model.url,
        LANGGRAPH_CLI_NO_ANALYTICS: '1',
        LANGSMITH_TRACING: 'false',
      },
      stdio: 'ignore',
    });
    platform = `http://127.0.0.1:${port}`;
    credentials = await rig.tenant('graphs');
    await until(async () => (await fetch(`${platform}/ok`).catch(() => null))?.ok === true);
    const made = await post(`${rig.served.url}/api/v1/graphruntime/deployments`, { name: 'dev', url: platform });
    deploymentId = String(made.deployment_id);
    webhook = rig.served.url + (made.webhook as { path: string }).path;
  }, TIMEOUT_MS);
  afterAll(() => {
    server?.kill();
  });

  async function post(url: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** Runs a graph, and waits until its trace is complete and analyzed. */
  async function run(graph: string, more: object = {}): Promise<TraceDetail> {
    const { thread_id } = await post(`${platform}/threads`, {});
    return runOn(String(thread_id), graph, more);
  }

  async function runOn(thread: string, graph: string, more: object): Promise<TraceDetail> {
    const known = new Set((await traces()).map(({ trace_id }) => trace_id));
    const input = { messages: [REQUEST] };
    await post(`${platform}/threads/${thread}/runs`, { assistant_id: graph, input, webhook, ...more });
    return until(async () => {
      const fresh = (await traces()).find(({ trace_id }) => !known.has(trace_id));
      const trace = fresh && (await get<TraceDetail>(rig.served.url, credentials, `/traces/${fresh.trace_id}`));
      return trace && trace.spans.length > 1 && trace.analyzed ? trace : null;
    });
  }

  const traces = async () => (await get<{ items: TraceDetail[] }>(rig.served.url, credentials, '/traces')).items;
  const found = async ({ trace_id }: TraceDetail) =>
    (await get<{ items: Found[] }>(rig.served.url, credentials, `/detections?trace_id=${trace_id}`)).items;

  it(
    'a healthy team is completed from its history, and nothing is detected',
    async () => {
      const trace = await run('workshop');
      expect(trace).toMatchObject({ status: 'ok', framework: 'langgraph', detection_count: 0 });
      expect([...trace.agent_ids].sort()).toEqual(['buyer', 'foreman', 'mechanic']);
      expect(trace.states.length).toBeGreaterThan(3);
      expect(trace.spans.map(({ name }) => name)).toContain('foreman');
    },
    TIMEOUT_MS,
  );

  it(
    'a loop that reaches the recursion limit is detected at its node; healing lowers the limit, rollback restores it',
    async () => {
      const trace = await run('dispute', { config: { recursion_limit: 24 } });
      expect(trace).toMatchObject({ status: 'error', agent_ids: ['mechanic', 'inspector'] });
      const [loop] = await found(trace);
      expect(loop).toMatchObject({ detection_type: 'loop', subtype: 'recursion_limit', agent_id: 'mechanic' });
      const fix = loop?.fixes.find(({ fix_type }) => fix_type === 'config_change');
      const assistant = await post(`${rig.served.url}/api/v1/graphruntime/assistants`, {
        name: 'dispute',
        deployment_id: deploymentId,
        graph_id: 'dispute',
      });
      const operations = `${rig.served.url}/api/v1/tenants/${credentials.tenantId}/healing/operations`;
      const { operation_id: id } = await post(operations, {
        fix_id: fix?.fix_id,
        executor: 'langgraph_assistant',
        target: { assistant_id: assistant.assistant_id },
      });
      await post(`${operations}/${id}/approve`, {});
      const before = await configOf('dispute');
      expect((await post(`${operations}/${id}/execute`, {})).status).toBe('applied');
      expect(await configOf('dispute')).toEqual({ ...before, recursion_limit: 6 });
      expect((await post(`${operations}/${id}/rollback`, {})).status).toBe('rolled_back');
      expect(await configOf('dispute')).toEqual(before);
    },
    TIMEOUT_MS,
  );

  it(
    'a node that fails is detected',
    async () => {
      const trace = await run('invoicing');
      expect(trace.status).toBe('error');
      expect((await found(trace))[0]).toMatchObject({ detection_type: 'tool_failure', agent_id: 'book_invoice' });
    },
    TIMEOUT_MS,
  );

  it(
    'a node that fails within a subgraph is detected, not the graph around it',
    async () => {
      const trace = await run('nested');
      const labels = trace.spans.find(({ name }) => name === 'labels');
      const printer = trace.spans.find(({ name }) => name === 'printer');
      expect(printer?.parent_span_id).toBe(labels?.span_id);
      expect((await found(trace)).map(({ detection_type, agent_id }) => [detection_type, agent_id])).toContainEqual([
        'tool_failure',
        'printer',
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'an interrupted run and the run that resumes it both have the interrupting node',
    async () => {
      const { thread_id } = await post(`${platform}/threads`, {});
      const interrupted = await runOn(String(thread_id), 'asking', {});
      const answered = await runOn(String(thread_id), 'asking', { input: null, command: { resume: 'yes' } });
      for (const { spans } of [interrupted, answered]) expect(spans.map(({ name }) => name)).toContain('clerk');
      expect(answered).toMatchObject({ status: 'ok', detection_count: 0 });
    },
    TIMEOUT_MS,
  );

  it(
    'a run without a thread is one trace',
    async () => {
      const before = (await traces()).length;
      await post(`${platform}/runs/wait`, { assistant_id: 'workshop', input: { messages: [] }, webhook });
      await until(async () => (await traces()).length > before);
      expect((await traces()).length).toBe(before + 1);
    },
    TIMEOUT_MS,
  );

  async function configOf(graph: string): Promise<object> {
    const response = await fetch(`${platform}/assistants/${graph}`);
    return ((await response.json()) as { config: object }).config;
  }
});

/** Repeats until there is a value; the test's own limit ends it. */
async function until<Value>(look: () => Promise<Value | null | undefined | false>): Promise<Value> {
  while (true) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((next) => setTimeout(next, 100));
  }
}
