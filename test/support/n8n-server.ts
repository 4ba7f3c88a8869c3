import { createServer, type ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';
import { sendJson } from './send-json.ts';

export const N8N_KEY = 'n8n-key-of-the-tests';

/** n8n's public API on a loopback port, with the paging, 401 and limits of its server and without optimistic locking. */
export interface N8nServer {
  url: string;
  /** Newest last; the list returns them newest first. */
  executions: JsonObject[];
  workflows: JsonObject[];
  /** Method, path and query of each request. */
  requests: string[];
  /** Responses to the next requests instead of the API's; null passes a request to the API. */
  script: (((response: ServerResponse) => void) | null)[];
  close(): Promise<void>;
}

const MAX_PAGE_SIZE = 250;

export async function startN8nServer(): Promise<N8nServer> {
  const state = {
    executions: [] as JsonObject[],
    workflows: [] as JsonObject[],
    requests: [] as string[],
    script: [] as N8nServer['script'],
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '', 'http://n8n');
    state.requests.push(`${request.method} ${request.url}`);
    const scripted = state.script.shift();
    if (scripted) return scripted(response);
    if (request.headers['x-n8n-api-key'] === undefined)
      return sendJson(response, 401, { message: "'X-N8N-API-KEY' header required" });
    if (request.headers['x-n8n-api-key'] !== N8N_KEY) return sendJson(response, 401, { message: 'unauthorized' });
    const [, , , kind, id] = url.pathname.split('/');
    if (kind === 'executions') return executions(response, url, id);
    if (kind === 'workflows') return workflows(response, url, id, request.method === 'PUT' ? parts : null);
    return sendJson(response, 404, { message: 'not found' });
  });

  function executions(response: ServerResponse, url: URL, id: string | undefined): unknown {
    const listed = url.searchParams.get('includeData') === 'true' ? (one: JsonObject) => one : withoutData;
    if (id !== undefined) {
      const found = state.executions.find((one) => one.id === id);
      return found ? sendJson(response, 200, listed(found)) : sendJson(response, 404, { message: 'Not Found' });
    }
    page(response, url, [...state.executions].reverse(), listed);
  }

  function workflows(response: ServerResponse, url: URL, id: string | undefined, body: Buffer[] | null): unknown {
    if (id === undefined) return page(response, url, state.workflows, (one) => one);
    const at = state.workflows.findIndex((one) => one.id === id);
    if (at === -1) return sendJson(response, 404, { message: 'Not Found' });
    if (body === null) return sendJson(response, 200, state.workflows[at]!);
    const sent = JSON.parse(Buffer.concat(body).toString()) as JsonObject;
    const unknown = Object.keys(sent).find((name) => !WRITABLE.has(name));
    if (unknown !== undefined)
      return sendJson(response, 400, { message: 'request/body must NOT have additional properties' });
    const updatedAt = new Date(Date.UTC(2026, 0, 1) + state.requests.length).toISOString();
    state.workflows[at] = {
      ...state.workflows[at]!,
      ...sent,
      updatedAt,
      versionId: `version ${state.requests.length}`,
    };
    sendJson(response, 200, state.workflows[at]!);
  }

  return Object.assign(state, await listenLocally(server));
}

const WRITABLE = new Set(['name', 'nodes', 'connections', 'settings', 'staticData']);

/** Its cursor contains the last id and the page size, which overrides the requested size. */
function page(response: ServerResponse, url: URL, all: JsonObject[], listed: (one: JsonObject) => JsonObject): unknown {
  const cursor = url.searchParams.get('cursor');
  const result = cursor === null ? null : JSON.parse(Buffer.from(cursor, 'base64').toString());
  const limit = result?.limit ?? Number(url.searchParams.get('limit') ?? 100);
  if (limit > MAX_PAGE_SIZE)
    return sendJson(response, 400, { message: `request/query/limit must be <= ${MAX_PAGE_SIZE}` });
  const from = result === null ? 0 : all.findIndex(({ id }) => id === result.lastId) + 1;
  const data = all.slice(from, from + limit).map(listed);
  const hasMore = from + limit < all.length;
  const nextCursor = hasMore
    ? Buffer.from(JSON.stringify({ lastId: data.at(-1)!.id, limit })).toString('base64')
    : null;
  return sendJson(response, 200, { data, nextCursor });
}

function withoutData({ data: _data, workflowData: _workflow, customData: _custom, ...rest }: JsonObject): JsonObject {
  return rest;
}

const AT = Date.UTC(2026, 0, 10);

/** An execution as n8n lists it, a minute after the one before. */
export function n8nExecution(id: number, more: JsonObject = {}): JsonObject {
  const startMs = AT + id * 60_000;
  const run = (at: number) => ({
    startTime: startMs + at,
    executionTime: 5,
    executionStatus: 'success',
    executionIndex: at,
  });
  return {
    id: String(id),
    finished: true,
    mode: 'trigger',
    status: 'success',
    startedAt: new Date(startMs).toISOString(),
    stoppedAt: new Date(startMs + 100).toISOString(),
    workflowId: 'wfPots',
    waitTill: null,
    data: { resultData: { runData: { Clock: [run(0)], Water: [run(1)] }, lastNodeExecuted: 'Water' } },
    workflowData: { id: 'wfPots', name: 'Pots', nodes: [], connections: {} },
    ...more,
  };
}
