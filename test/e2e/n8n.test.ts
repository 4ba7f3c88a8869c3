import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeProgram, type TraceDetail, type TraceSummary, toolSteps } from '../support/real-program.ts';
import type { Credentials } from '../support/served.ts';
import { type N8n, startN8n } from './n8n-server.ts';
import { credentialsOf, shopWorkflows } from './n8n-workflows.ts';

const TIMEOUT_MS = 400_000;
const QUESTION = { question: 'How many sets of brake pads BP-204 are in stock?' };
const PAYMENT = 'Payment whose error output leads nowhere';
/** Each workflow by its webhook, and what it is sent. */
const CALLS: readonly [path: string, body?: object][] = [
  ['healthy', { customer: 'Jo' }],
  ['failing'],
  ['handled'],
  ['report'],
  ['agent', QUESTION],
  ['brokenAgent', QUESTION],
  ['loop'],
  ['retry'],
  ['waiting'],
  ['slow'],
  ['payment'],
];

/** A real n8n that reports by its API to one tenant, and by API, webhooks and OpenTelemetry to another. */
describeProgram('n8n', {}, (rig) => {
  let n8n: N8n;
  let slow: Server;
  let synced: Credentials;
  let everything: Credentials;
  let traces: TraceSummary[];

  beforeAll(async () => {
    [synced, everything] = [await rig.tenant('synced'), await rig.tenant('everything')];
    slow = createServer(() => {}).listen(0, '127.0.0.1');
    const webhook = await post(everything, 'workflows', { name: 'Reports', external_id: 'reports' });
    const address = rig.served.url + (webhook.webhook as { path: string }).path;
    n8n = await startN8n({
      home: rig.home,
      folder: join(rig.folder, 'n8n'),
      workflows: shopWorkflows({
        model: rig.model.url,
        errors: address,
        reports: address,
        slow: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`,
      }),
      credentials: credentialsOf(rig.model.url),
      env: {
        N8N_OTEL_ENABLED: 'true',
        N8N_OTEL_EXPORTER_OTLP_ENDPOINT: rig.served.url,
        N8N_OTEL_EXPORTER_OTLP_HEADERS: `x-svc-api-key=${everything.apiKey}`,
        N8N_OTEL_TRACES_INCLUDE_NODE_SPANS: 'true',
      },
    });
    for (const tenant of [synced, everything])
      await post(tenant, 'instances', { name: 'shop', url: n8n.url, api_key: n8n.apiKey });
    for (const [path, body] of CALLS) await n8n.call(path, body);
    await post(synced, 'sync', {});
    // Every execution but that of the error workflow: the calls, and three runs of the sub-workflow.
    traces = await rig.analyzed(synced, CALLS.length + 3);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await n8n?.stop();
    slow?.closeAllConnections();
    slow?.close();
  });

  const post = async ({ apiKey }: Credentials, path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${rig.served.url}/api/v1/flowplatform/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': apiKey },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const syncStatus = async ({ apiKey }: Credentials): Promise<string | undefined> => {
    const headers = { 'x-svc-api-key': apiKey };
    const response = await fetch(`${rig.served.url}/api/v1/flowplatform/sync/status`, { headers });
    return ((await response.json()) as { items: { status: string }[] }).items[0]?.status;
  };
  const detailOf = async (name: string): Promise<TraceDetail> => {
    const trace = traces.find((one) => one.name === name);
    expect(trace, `a trace of ${name} among ${traces.map((one) => one.name).join(', ')}`).toBeDefined();
    return rig.detail(synced, trace as TraceSummary);
  };
  /** Each warning or critical detection of a workflow's run as `type/subtype step`. */
  const warningsOf = async (name: string, credentials = synced): Promise<string[]> => {
    const { trace_id } = await detailOf(name);
    const { spans } = await rig.detail(credentials, { trace_id });
    const found = await rig.found(credentials, { trace_id });
    return found
      .filter(({ severity }) => severity === 'warning' || severity === 'critical')
      .map(({ detection_type, subtype, span_ids }) => {
        const step = spans.find(({ span_id }) => span_id === span_ids[0])?.name;
        return `${detection_type}/${subtype} ${step}`;
      });
  };

  it('healthy: nothing is detected, the nodes and the task are read', async () => {
    const trace = await detailOf('Healthy orders');
    expect(trace).toMatchObject({ framework: 'n8n', status: 'ok', task: '{"customer":"Jo"}' });
    expect(trace.spans.map(({ name }) => name)).toEqual(['Healthy orders', 'Webhook', 'Prepare', 'Split', 'Done']);
    expect(await warningsOf('Healthy orders')).toEqual([]);
  });

  it.each([
    ['a node that fails', 'Failing orders', 'error', ['tool_failure/schema_mismatch Parse']],
    ['a run with an error workflow', 'Orders with an error workflow', 'error', ['tool_failure/service Call warehouse']],
    ['a last node that calls a webhook', 'Weekly report', 'ok', []],
    ['an AI agent with a broken tool', 'Stock agent with a broken tool', 'ok', ['tool_failure/service find_part']],
    ['a loop with a sub-workflow that fails once', 'Loop with a sub-workflow', 'ok', ['tool_failure/other Book order']],
    ['retries that all fail', 'Retried call', 'error', ['tool_failure/rate_limit Ask model']],
    ['the time limit during a wait', 'Waits too long', 'error', ['tool_failure/timeout Waits too long']],
    ['the time limit during a call', 'Slow warehouse', 'error', ['tool_failure/timeout Slow warehouse']],
    ['an error output that leads nowhere', PAYMENT, 'ok', ['tool_failure/service Charge card']],
  ])('%s: the expected detection at the expected node', async (_, name, status, warnings) => {
    expect((await detailOf(name)).status).toBe(status);
    expect(await warningsOf(name)).toEqual(warnings);
  });

  it('an AI agent: model, tool, tokens and task are read, nothing is detected', async () => {
    const trace = await detailOf('Stock agent');
    expect(trace).toMatchObject({
      status: 'ok',
      task: QUESTION.question,
      agent_ids: ['AI Agent'],
      models: ['gpt-4o'],
      total_tokens: 300,
      final_output: 'Brake pads BP-204: 7 sets are in stock.',
    });
    expect(toolSteps(trace)).toMatchObject([
      { agent_id: 'AI Agent', tool: { name: 'find_part', result: 'BP-204: 7 sets in stock' } },
    ]);
    expect(await warningsOf('Stock agent')).toEqual([]);
  });

  it('runs of the sub-workflow are traces of their own, those of the error workflow are none', () => {
    const names = traces.map(({ name }) => name);
    expect(names.filter((name) => name === 'Book one order')).toHaveLength(3);
    expect(names).not.toContain('Error reporter');
  });

  it('API, webhooks and OpenTelemetry of one execution are one trace with the same detections', async () => {
    await post(everything, 'sync', {});
    await expect.poll(() => syncStatus(everything), { timeout: 60_000 }).toBe('idle');
    // It exports its last spans at its end.
    await n8n.stop();
    const all = await rig.analyzed(everything, CALLS.length);
    for (const { name, trace_id } of traces.filter((trace) => trace.name !== 'Book one order')) {
      expect(
        all.filter((trace) => trace.name === name),
        name,
      ).toMatchObject([{ trace_id }]);
      expect(await warningsOf(name, everything), name).toEqual(await warningsOf(name));
    }
    expect(all.map(({ name }) => name)).not.toContain('workflow.execute');
  });
});
