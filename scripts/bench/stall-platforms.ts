import { createHmac } from 'node:crypto';
import type { StallRow } from './stall-routes.ts';

/** A conversation and webhooks, each near the limit of values that its route takes. */
export function platformRows(tenantId: string, apiKey: string): StallRow[] {
  const headers = { 'x-svc-api-key': apiKey };
  const turns = Array.from({ length: 9_000 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `turn ${at}: ${'a word '.repeat(150)}`,
  }));
  const webhook = (integration: string, body: object): StallRow => ({
    route: `webhook: ${integration}`,
    path: `/api/v1/${integration}/webhook`,
    headers,
    body: JSON.stringify(body),
  });
  return [
    {
      route: 'conversations.ingest, 9,000 turns',
      path: `/api/v1/tenants/${tenantId}/conversations/ingest`,
      headers,
      body: JSON.stringify({ format: 'generic', data: { turns } }),
    },
    {
      route: 'conversations.ingest, 45,000 values that are not turns',
      path: `/api/v1/tenants/${tenantId}/conversations/ingest`,
      headers,
      body: JSON.stringify({ format: 'generic', data: { turns: Array(45_000).fill(1) } }),
    },
    webhook('llmapps', difyRun(2_500)),
    webhook('graphruntime', langGraphRun(70_000)),
    webhook('agentsession', openClawLines(4_500)),
    {
      route: 'hooks: 2,000 records of 2,000 sessions',
      path: '/api/v1/traces/cli-agent/ingest',
      headers,
      body: JSON.stringify(hookRecords(2_000)),
    },
  ];
}

/** One execution of n8n with 9,000 items, signed with the secret of its registration. The signature is valid for five minutes. */
export async function n8nRow(url: string, apiKey: string): Promise<StallRow> {
  const response = await fetch(`${url}/api/v1/flowplatform/workflows`, {
    method: 'POST',
    headers: { 'x-svc-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', external_id: 'wfBench' }),
  });
  const { webhook } = (await response.json()) as { webhook: { secret: string } };
  const body = JSON.stringify(n8nExecution(9_000, 9_000));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = 'nonce-number-00000001';
  const signature = createHmac('sha256', webhook.secret).update(`${timestamp}.${nonce}.${body}`).digest('hex');
  return {
    route: 'webhook: flowplatform, signed',
    path: '/api/v1/flowplatform/webhook',
    headers: {
      'x-svc-api-key': apiKey,
      'X-SVC-Signature': `sha256=${signature}`,
      'X-SVC-Timestamp': timestamp,
      'X-SVC-Nonce': nonce,
    },
    body,
  };
}

/** About 220 bytes an item. */
export function n8nExecution(id: number, items: number): object {
  const run = (index: number) => ({
    startTime: 1_795_220_422_000 + index * 10,
    executionTime: 5,
    executionStatus: 'success',
    executionIndex: index,
    data: { main: [Array.from({ length: items / 2 }, (_, at) => ({ json: { id: at, text: 'a word '.repeat(30) } }))] },
  });
  return {
    id: String(id),
    finished: true,
    mode: 'trigger',
    status: 'success',
    startedAt: '2026-11-20T10:00:22.000Z',
    stoppedAt: '2026-11-20T10:00:23.000Z',
    workflowId: 'wfBench',
    data: { resultData: { runData: { Clock: [run(0)], Water: [run(1)] }, lastNodeExecuted: 'Water' } },
    workflowData: { id: 'wfBench', name: 'Bench', nodes: [], connections: {} },
  };
}

/** Two events a node. */
function difyRun(nodes: number): object {
  const runId = '5f0c9a2e-1111-4a3b-9c7d-000000000002';
  const started = { id: runId, workflow_id: 'wf-bench', inputs: {}, created_at: 1_795_220_422 };
  const event = (name: string, data: object) => ({ event: name, task_id: 't', workflow_run_id: runId, data });
  const node = (at: number) => ({ id: `exec-${at}`, node_id: `n${at}`, node_type: 'code', title: 'Code', index: at });
  const events = Array.from({ length: nodes }, (_, at) => [
    event('node_started', { ...node(at), created_at: 1_795_220_422 }),
    event('node_finished', { ...node(at), status: 'succeeded', outputs: { a: at }, finished_at: 1_795_220_423 }),
  ]);
  return { events: [event('workflow_started', started), ...events.flat()] };
}

/** One run with that many values in its state. */
function langGraphRun(values: number): object {
  return {
    run_id: 'e4724a30-ae89-5985-ab8b-b8c566171b57',
    thread_id: '92d676b9-a345-5b41-a3ce-604bc6e3f9db',
    assistant_id: 'b44dc246-598d-5541-8d34-6df3cbc05361',
    metadata: { graph_id: 'bench' },
    status: 'success',
    created_at: '2026-05-04T09:29:59.980Z',
    updated_at: '2026-05-04T09:30:00.570Z',
    values: Object.fromEntries(Array.from({ length: values }, (_, at) => [`k${at}`, at])),
  };
}

/** Lines of one transcript. */
function openClawLines(messages: number): object[] {
  const line = (at: number) => ({
    type: 'message',
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: new Date(1_795_220_422_000 + at * 10).toISOString(),
    message: {
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `line ${at}` }],
      timestamp: 1_795_220_422_000 + at * 10,
    },
  });
  const session = { type: 'session', version: 4, id: 'bench', timestamp: '2026-05-04T10:20:00.000Z', cwd: '/' };
  return [session, ...Array.from({ length: messages }, (_, at) => line(at))];
}

function hookRecords(sessions: number): object[] {
  return Array.from({ length: sessions }, (_, at) => ({
    hook_event_name: 'UserPromptSubmit',
    session_id: `session-${at}`,
    prompt: `question ${at}`,
    cwd: '/',
  }));
}
