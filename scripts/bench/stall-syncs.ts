import { createServer } from 'node:http';
import { listenLocally } from '../../test/support/local-server.ts';
import { createTenant } from '../../test/support/served.ts';
import { n8nExecution } from './stall-platforms.ts';
import type { StallRow } from './stall-routes.ts';

type Call = (path: string, body?: object) => Promise<Record<string, unknown>>;

/** Sync runs of platforms that respond with one large page, for a separate tenant. */
export async function syncRows(url: string): Promise<StallRow[]> {
  const { apiKey } = await createTenant(url, 'syncs');
  const headers = { 'x-svc-api-key': apiKey };
  const call: Call = async (path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const sync = (route: string, integration: string): StallRow => ({
    route,
    path: `/api/v1/${integration}/sync`,
    headers,
    body: '{}',
    isDone: async () => isIdle((await call(`/${integration}/sync/status`)).items),
  });

  await call('/flowplatform/instances', { name: 'n8n', url: await serveResponse(n8nPage()), api_key: 'bench' });
  const { instance_id } = await call('/llmapps/instances', { name: 'Dify', url: await serveResponse(difyLog()) });
  await call('/llmapps/apps', { name: 'app', instance_id, api_key: 'bench' });
  await call('/graphruntime/deployments', { name: 'LangGraph', url: await serveResponse(threadHistory()) });
  return [
    sync('sync: n8n, a page of 20 MB', 'flowplatform'),
    sync('sync: Dify, a page of 15 MB', 'llmapps'),
    {
      route: 'sync: LangGraph, a history of 15 MB',
      path: '/api/v1/graphruntime/webhook',
      headers,
      body: JSON.stringify({ ...RUN, status: 'success', values: {}, updated_at: at(100) }),
      isDone: async () => (await call('/graphruntime/fetches')).total === 0,
    },
  ];
}

function isIdle(items: unknown): boolean {
  const [{ status, failure }] = items as [{ status: string; failure: string | null }];
  if (failure !== null) throw new Error(`the sync failed: ${failure}`);
  return status === 'idle';
}

/** @returns the address of a server that gives the same response to every request until this process ends */
async function serveResponse(value: unknown): Promise<string> {
  const body = Buffer.from(JSON.stringify(value));
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  server.unref();
  return (await listenLocally(server)).url;
}

function n8nPage(): object {
  return { data: Array.from({ length: 10 }, (_, run) => n8nExecution(9_100 - run, 9_000)), nextCursor: null };
}

function difyLog(): object {
  const run = (number: number) => ({
    id: `bench-${number}`,
    status: 'failed',
    error: 'a word '.repeat(21_000),
    total_steps: 3,
    total_tokens: 12,
    elapsed_time: 1.5,
    created_at: 1_795_220_422 - number,
    finished_at: 1_795_220_423 - number,
  });
  const entries = Array.from({ length: 100 }, (_, number) => ({
    id: `log-${number}`,
    workflow_run: run(number),
    created_at: 1_795_220_422 - number,
  }));
  return { page: 1, limit: 100, has_more: false, data: entries };
}

const RUN = {
  run_id: 'a1b2c3d4-0000-4000-8000-000000000001',
  thread_id: 'a1b2c3d4-0000-4000-8000-000000000002',
  assistant_id: 'a1b2c3d4-0000-4000-8000-000000000003',
  metadata: { graph_id: 'bench' },
  created_at: at(0),
};

function at(second: number): string {
  return new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();
}

/** The states of one run, newest first. */
function threadHistory(): object[] {
  const checkpoint = (step: number) => ({ thread_id: RUN.thread_id, checkpoint_ns: '', checkpoint_id: `c${step}` });
  return Array.from({ length: 40 }, (_, number) => {
    const step = 39 - number;
    return {
      values: { notes: Array.from({ length: 1_200 }, (_, note) => ({ id: note, text: 'a word '.repeat(42) })) },
      next: step === 39 ? [] : ['writer'],
      tasks: step === 39 ? [] : [{ id: `t${step}`, name: 'writer', error: null, interrupts: [], result: { step } }],
      metadata: { run_id: RUN.run_id, graph_id: 'bench', step, source: step === 0 ? 'input' : 'loop' },
      created_at: at(step),
      checkpoint: checkpoint(step),
      parent_checkpoint: step === 0 ? null : checkpoint(step - 1),
    };
  });
}
