import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, createTenant, get, isBuilt, type Served, serve } from '../support/served.ts';

/**
 * Real instrumentations against the built executable. `MISSTEP_EMITTERS` names a folder with the programs and their
 * installed packages (`otel/`, `genai/`); without it these tests are skipped by name.
 */
const EMITTERS = process.env.MISSTEP_EMITTERS ?? '';
const areThere =
  EMITTERS !== '' &&
  existsSync(resolve(EMITTERS, 'genai/node_modules')) &&
  existsSync(resolve(EMITTERS, 'otel/node_modules'));
/** Fixed by the emitters. */
const MODEL_PORT = 43_200;

interface Summary {
  trace_id: string;
  name: string;
  service_name: string;
  framework: string;
  status: string;
  agent_ids: string[];
  total_tokens: number;
  state_count: number;
  detection_count: number;
  analyzed: boolean;
}

interface TraceDetail extends Summary {
  spans: {
    name: string;
    attributes: Record<string, unknown>;
    step: {
      kind: string;
      agent_id: string | null;
      node: string | null;
      tool: { name: string; arguments: unknown; result: unknown } | null;
      tokens: { input: number | null };
    };
  }[];
  states: { node: string | null }[];
}

interface Found {
  detection_type: string;
  subtype: string;
  severity: string;
  agent_id: string;
  explanation: string;
  fixes: unknown[];
}

describe.skipIf(!areThere || !isBuilt)('real emitters (needs MISSTEP_EMITTERS and dist/misstep)', () => {
  let folder: string;
  let served: Served;
  let model: ChildProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-emitters-'));
    served = await serve(folder);
    model = spawn(process.execPath, ['fake-openai.mjs', String(MODEL_PORT), join(folder, 'model.jsonl')], {
      cwd: resolve(EMITTERS, 'otel'),
      stdio: 'ignore',
    });
    await untilListening(MODEL_PORT);
  }, 60_000);
  afterAll(async () => {
    model?.kill();
    await served?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs one emitter, rewritten where it names a key of its own, for a new tenant; waits until its traces are analysed. */
  async function emit(
    program: string,
    traces: number,
    options: {
      args?: string[];
      env?: Record<string, string>;
      rewrite?(source: string, credentials: Credentials): string;
    } = {},
  ) {
    const credentials = await createTenant(served.url, program);
    const [area, file] = program.split('/') as [string, string];
    const url = `${served.url}/v1/traces`;
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      URL_: url,
      STATE: join(folder, 'state.json'),
      OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${credentials.apiKey}`,
      ...options.env,
    };
    const source = options.rewrite?.(readFileSync(resolve(EMITTERS, program), 'utf8'), credentials);
    const entry = source === undefined ? [file] : ['--input-type=module', '--eval', source];
    const args = [...entry, ...(options.args ?? []).map((argument) => (argument === 'URL' ? url : argument))];
    const child = spawn(process.execPath, args, {
      cwd: resolve(EMITTERS, area),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
    await new Promise((done) => child.once('exit', done));
    return { credentials, traces: await untilAnalysed(credentials, traces, output), output };
  }

  async function untilAnalysed(credentials: Credentials, traces: number, output: string): Promise<Summary[]> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { items } = await get<{ items: Summary[] }>(served.url, credentials, '/traces');
      // A trace whose parent lies in another process never sees its root end, so it waits for 30 s of silence.
      const isDone = (trace: Summary) => trace.analyzed || trace.name === 'remote-parent';
      if (items.length >= traces && items.every(isDone)) return items;
      await new Promise((next) => setTimeout(next, 100));
    }
    throw new Error(`the traces did not come or settle; the emitter said: ${output}`);
  }

  const detail = (credentials: Credentials, trace: Summary) =>
    get<TraceDetail>(served.url, credentials, `/traces/${trace.trace_id}`);
  const found = async (credentials: Credentials, trace?: Summary) =>
    (await get<{ items: Found[] }>(served.url, credentials, `/detections${trace ? `?trace_id=${trace.trace_id}` : ''}`))
      .items;

  it.each([
    ['json', []],
    ['json', ['gzip']],
    ['proto', []],
    ['proto', ['gzip']],
  ])('OpenTelemetry SDK 3, %s %s: every kind of attribute, exact', async (kind, packing) => {
    const { credentials, traces } = await emit('otel/send.mjs', 2, { args: [kind, 'URL', ...packing] });
    const trace = traces.find((candidate) => candidate.agent_ids.includes('planner')) as Summary;
    // The emitter ends its model call with an exception that nothing handles.
    expect(trace).toMatchObject({ service_name: 'probe', agent_ids: ['planner'], status: 'error' });
    const { spans } = await detail(credentials, trace);
    const attributes = spans[0]?.attributes;
    expect(attributes).toMatchObject({
      'i.int': 42,
      'i.neg': -7,
      'i.big': 9_007_199_254_740_991,
      'd.double': 0.25,
      'b.false': false,
      'a.strings': ['a', 'b'],
      'a.withnull': ['x', null, null, 'y'],
      'x.map': { k: 'v', n: 1, nested: { z: true } },
      'x.arrofmaps': [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yo' },
      ],
    });
    if (kind === 'proto')
      expect(attributes).toMatchObject({
        'd.inf': { $double: 'Infinity' },
        'i.2e53plus': { $int64: '1152921504606846976' },
      });
    expect(spans.map((span) => span.name)).toEqual(['invoke_agent planner', 'chat gpt-4o']);
  });

  it('OpenInference with LangGraph: the healthy supervisor is silent, the loop is found at its node', async () => {
    const { credentials, traces } = await emit('genai/e-oi-langgraph.mjs', 3);
    const supervisor = traces.find((trace) => trace.name === 'research_team_run') as Summary;
    expect(supervisor).toMatchObject({
      status: 'ok',
      framework: 'langgraph',
      agent_ids: ['supervisor', 'researcher', 'writer'],
      total_tokens: 1008,
    });
    expect(supervisor.detection_count).toBe(0);
    const healthy = await detail(credentials, supervisor);
    const tools = healthy.spans.flatMap(({ step }) => (step.kind === 'tool' ? [step] : []));
    expect(tools.map((step) => step.tool?.name)).toContain('get_weather');
    expect(tools.every((step) => step.agent_id === 'researcher' && step.tool?.result !== null)).toBe(true);
    expect(healthy.states.length).toBeGreaterThan(3);

    const looping = traces.find((trace) => trace.name === 'looping_team') as Summary;
    expect(looping).toMatchObject({ status: 'error', agent_ids: ['planner', 'critic'], total_tokens: 840 });
    const [loop] = await found(credentials, looping);
    expect(loop).toMatchObject({
      detection_type: 'loop',
      subtype: 'recursion_limit',
      severity: 'critical',
      agent_id: 'planner',
    });
    expect(loop?.explanation).toContain('planner → critic');
    expect(loop?.fixes.length).toBeGreaterThan(0);

    const failing = traces.find((trace) => trace.name === 'failing_team') as Summary;
    expect((await found(credentials, failing))[0]).toMatchObject({
      detection_type: 'tool_failure',
      agent_id: 'bad_node',
    });
  });

  it('Traceloop: one trace from six requests, two agents, a tool call', async () => {
    const { credentials, traces } = await emit('genai/e-traceloop.mjs', 1);
    expect(traces).toHaveLength(1);
    const trace = traces[0] as Summary;
    expect(trace).toMatchObject({ framework: 'traceloop', service_name: 'tl-app', agent_ids: ['planner', 'writer'] });
    expect(trace.total_tokens).toBeGreaterThan(100);
    const { spans } = await detail(credentials, trace);
    const tool = spans.find(({ step }) => step.kind === 'tool')?.step.tool;
    expect(tool).toMatchObject({ name: 'get_weather', result: { temp: 21 } });
  });

  it.each([
    ['genai/e-vercel7.mjs', {}],
    ['genai/e-vercel7.mjs', { LEGACY: '1' }],
    ['genai/e-vercel6.mjs', {}],
  ])('Vercel AI %s %o: agents, tokens counted once, the tool call, the refused call', async (program, env) => {
    const { credentials, traces } = await emit(program, 3, { env: env as Record<string, string> });
    const planner = traces.find((trace) => trace.agent_ids.includes('planner-agent')) as Summary;
    expect(planner).toMatchObject({ status: 'ok', framework: 'vercel-ai', total_tokens: 336, detection_count: 0 });
    const { spans } = await detail(credentials, planner);
    expect(spans.find(({ step }) => step.kind === 'tool')?.step).toMatchObject({
      agent_id: 'planner-agent',
      tool: { name: 'get_weather', result: { temp: 21, city: 'Paris' } },
    });
    const refused = traces.find((trace) => trace.agent_ids.includes('fail-agent')) as Summary;
    expect(refused.status).toBe('error');
    expect(await found(credentials, refused)).toMatchObject([
      { detection_type: 'tool_failure', subtype: 'rate_limit' },
    ]);
  });

  it('OpenAI Agents SDK: its own exporter, two agents, a tool call, one trace', async () => {
    const { traces } = await emit('genai/e-openai-agents.mjs', 1, {
      env: { URL_: served.url },
      rewrite: (source, { apiKey }) =>
        source.replace(/(new OpenAITracingExporter\([^)]*apiKey:)'[^']*'/, `$1'${apiKey}'`),
    });
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({ framework: 'openai-agents', name: 'Research workflow', detection_count: 0 });
    expect(traces[0]?.agent_ids).toContain('triage');
  });

  it('OpenInference on the OpenAI client: three calls, three traces, nothing found', async () => {
    const { credentials, traces } = await emit('genai/e-oi-openai.mjs', 3);
    expect(traces.map((trace) => trace.total_tokens)).toEqual([168, 168, 168]);
    expect(await found(credentials)).toEqual([]);
  });
});

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done(true);
      }).on('error', () => done(false));
    });
    if (isOpen) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}
