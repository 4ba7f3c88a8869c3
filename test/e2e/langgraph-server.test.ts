import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, createTenant, freePort, get, type Served, serve } from '../support/served.ts';

/**
 * A real LangGraph server beside a serving Misstep. `MISSTEP_EMITTERS` names a folder with the graphs and their installed
 * packages (`langgraph-server/`) and the model they talk to (`otel/`); without it these tests are skipped by name.
 */
const EMITTERS = process.env.MISSTEP_EMITTERS ?? '';
const GRAPHS = resolve(EMITTERS, 'langgraph-server');
const isThere = EMITTERS !== '' && existsSync(join(GRAPHS, 'node_modules/@langchain/langgraph-cli'));
/** In the graphs' sources. */
const MODEL_PORT = '43200';
const PATIENCE_MS = 120_000;

/** A graph within a graph, whose inner node fails; and one that waits for an answer. */
const OWN_GRAPHS = `import { END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
const press = new StateGraph(MessagesAnnotation)
  .addNode('setter', async () => ({ messages: [{ role: 'assistant', content: 'set' }] }))
  .addNode('printer', async () => { throw new Error('503 Service Unavailable: the press does not answer'); })
  .addEdge(START, 'setter').addEdge('setter', 'printer').addEdge('printer', END).compile();
export const nested = new StateGraph(MessagesAnnotation).addNode('press', press)
  .addEdge(START, 'press').addEdge('press', END).compile();
export const asking = new StateGraph(MessagesAnnotation)
  .addNode('clerk', async () => ({ messages: [{ role: 'assistant', content: 'said ' + interrupt('sure?') }] }))
  .addEdge(START, 'clerk').addEdge('clerk', END).compile();
`;

interface Found {
  detection_id: string;
  detection_type: string;
  subtype: string;
  agent_id: string;
  fixes: { fix_id: string; fix_type: string }[];
}

interface Trace {
  trace_id: string;
  status: string;
  framework: string;
  agent_ids: string[];
  analyzed: boolean;
  detection_count: number;
  spans: { span_id: string; parent_span_id: string | null; name: string }[];
  states: unknown[];
}

describe.skipIf(!isThere)('a real LangGraph server (needs MISSTEP_EMITTERS with langgraph-server installed)', () => {
  let folder: string;
  let served: Served;
  let platform: string;
  let credentials: Credentials;
  let webhook: string;
  let deploymentId: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-langgraph-'));
    const [modelPort, platformPort] = [await freePort(), await freePort()];
    const program = writeGraphs(join(folder, 'graphs'), String(modelPort));
    start('fake-openai.mjs', [String(modelPort), join(folder, 'model.jsonl')], resolve(EMITTERS, 'otel'));
    const cli = join(program, 'node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs');
    start(cli, ['dev', '--no-browser', '--no-reload', '-h', '127.0.0.1', '-p', String(platformPort)], program);
    platform = `http://127.0.0.1:${platformPort}`;
    served = await serve(join(folder, 'data'));
    credentials = await createTenant(served.url, 'graphs');
    await until(async () => (await fetch(`${platform}/ok`).catch(() => null))?.ok === true);
    const made = await post(`${served.url}/api/v1/graphruntime/deployments`, { name: 'dev', url: platform });
    deploymentId = String(made.deployment_id);
    webhook = served.url + (made.webhook as { path: string }).path;
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const child of children) child.kill();
    await served?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  function start(entry: string, args: string[], cwd: string): void {
    const env = { PATH: process.env.PATH, HOME: folder, LANGGRAPH_CLI_NO_ANALYTICS: '1', LANGSMITH_TRACING: 'false' };
    children.push(spawn(process.execPath, [entry, ...args], { cwd, env, stdio: 'ignore' }));
  }

  async function post(url: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** Runs a graph, and waits until the run is here, completed and analysed. */
  async function run(graph: string, more: object = {}): Promise<Trace> {
    const { thread_id } = await post(`${platform}/threads`, {});
    return runOn(String(thread_id), graph, more);
  }

  async function runOn(thread: string, graph: string, more: object): Promise<Trace> {
    const known = new Set((await traces()).map(({ trace_id }) => trace_id));
    const input = { messages: [{ role: 'user', content: 'Write about Paris weather' }] };
    await post(`${platform}/threads/${thread}/runs`, { assistant_id: graph, input, webhook, ...more });
    return until(async () => {
      const fresh = (await traces()).find(({ trace_id }) => !known.has(trace_id));
      const trace = fresh && (await get<Trace>(served.url, credentials, `/traces/${fresh.trace_id}`));
      return trace && trace.spans.length > 1 && trace.analyzed ? trace : null;
    });
  }

  const traces = async () => (await get<{ items: Trace[] }>(served.url, credentials, '/traces')).items;
  const found = async ({ trace_id }: Trace) =>
    (await get<{ items: Found[] }>(served.url, credentials, `/detections?trace_id=${trace_id}`)).items;

  it(
    'a supervisor that goes well is completed from its history, and nothing is found',
    async () => {
      const trace = await run('team');
      expect(trace).toMatchObject({ status: 'ok', framework: 'langgraph', detection_count: 0 });
      expect([...trace.agent_ids].sort()).toEqual(['researcher', 'supervisor', 'writer']);
      expect(trace.states.length).toBeGreaterThan(3);
      expect(trace.spans.map(({ name }) => name)).toContain('supervisor');
    },
    PATIENCE_MS,
  );

  it(
    'a loop that runs into the limit of steps is blamed on its node, and the limit is lowered and put back',
    async () => {
      const trace = await run('looping', { config: { recursion_limit: 24 } });
      expect(trace).toMatchObject({ status: 'error', agent_ids: ['planner', 'critic'] });
      const [loop] = await found(trace);
      expect(loop).toMatchObject({ detection_type: 'loop', subtype: 'recursion_limit', agent_id: 'planner' });
      const fix = loop?.fixes.find(({ fix_type }) => fix_type === 'config_change');
      const assistant = await post(`${served.url}/api/v1/graphruntime/assistants`, {
        name: 'looping',
        deployment_id: deploymentId,
        graph_id: 'looping',
      });
      const operations = `${served.url}/api/v1/tenants/${credentials.tenantId}/healing/operations`;
      const { operation_id: id } = await post(operations, {
        fix_id: fix?.fix_id,
        executor: 'langgraph_assistant',
        target: { assistant_id: assistant.assistant_id },
      });
      await post(`${operations}/${id}/approve`, {});
      const before = await configOf('looping');
      expect((await post(`${operations}/${id}/execute`, {})).status).toBe('applied');
      expect(await configOf('looping')).toEqual({ ...before, recursion_limit: 6 });
      expect((await post(`${operations}/${id}/rollback`, {})).status).toBe('rolled_back');
      expect(await configOf('looping')).toEqual(before);
    },
    PATIENCE_MS,
  );

  it(
    'a node that fails is named',
    async () => {
      const trace = await run('failing');
      expect(trace.status).toBe('error');
      expect((await found(trace))[0]).toMatchObject({ detection_type: 'tool_failure', agent_id: 'bad_node' });
    },
    PATIENCE_MS,
  );

  it(
    'a node that fails within a graph of the graph is named, not the graph around it',
    async () => {
      const trace = await run('nested');
      const press = trace.spans.find(({ name }) => name === 'press');
      const printer = trace.spans.find(({ name }) => name === 'printer');
      expect(printer?.parent_span_id).toBe(press?.span_id);
      expect((await found(trace)).map(({ detection_type, agent_id }) => [detection_type, agent_id])).toContainEqual([
        'tool_failure',
        'printer',
      ]);
    },
    PATIENCE_MS,
  );

  it(
    'a run that was interrupted, and the run that goes on from there, each have the node that asked',
    async () => {
      const { thread_id } = await post(`${platform}/threads`, {});
      const asked = await runOn(String(thread_id), 'asking', {});
      const answered = await runOn(String(thread_id), 'asking', { input: null, command: { resume: 'yes' } });
      for (const { spans } of [asked, answered]) expect(spans.map(({ name }) => name)).toContain('clerk');
      expect(answered).toMatchObject({ status: 'ok', detection_count: 0 });
    },
    PATIENCE_MS,
  );

  it(
    'a run without a thread of its own is taken as a whole',
    async () => {
      const before = (await traces()).length;
      await post(`${platform}/runs/wait`, { assistant_id: 'team', input: { messages: [] }, webhook });
      await until(async () => (await traces()).length > before);
      expect((await traces()).length).toBe(before + 1);
    },
    PATIENCE_MS,
  );

  async function configOf(graph: string): Promise<object> {
    const response = await fetch(`${platform}/assistants/${graph}`);
    return ((await response.json()) as { config: object }).config;
  }
});

/** The graphs, talking to a model on another port, and one more. */
function writeGraphs(folder: string, modelPort: string): string {
  mkdirSync(folder);
  symlinkSync(join(GRAPHS, 'node_modules'), join(folder, 'node_modules'));
  for (const file of ['package.json', 'graphs.mjs', 'src.mjs'])
    writeFileSync(join(folder, file), readFileSync(join(GRAPHS, file), 'utf8').replaceAll(MODEL_PORT, modelPort));
  writeFileSync(join(folder, 'own.mjs'), OWN_GRAPHS);
  const config = JSON.parse(readFileSync(join(GRAPHS, 'langgraph.json'), 'utf8')) as { graphs: Record<string, string> };
  const graphs = { ...config.graphs, nested: './own.mjs:nested', asking: './own.mjs:asking' };
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ ...config, graphs }));
  return folder;
}

/** Looks until there is something; gives up with the test's own time. */
async function until<Value>(look: () => Promise<Value | null | undefined | false>): Promise<Value> {
  while (true) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((next) => setTimeout(next, 100));
  }
}
