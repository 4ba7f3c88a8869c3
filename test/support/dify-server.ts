import { createServer, type ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';
import { sendJson } from './send-json.ts';

export const DIFY_KEY = 'app-key-of-the-tests';

/** The documented service API of one Dify app on a loopback port: pages, filters, 401, limits. */
export interface DifyServer {
  url: string;
  /** Entries of its log, newest last; the list returns them newest first. */
  logs: JsonObject[];
  /** Method, path and query of each request. */
  requests: string[];
  /** Responses to the next requests instead of the API's; null passes a request to the API. */
  script: (((response: ServerResponse) => void) | null)[];
  close(): Promise<void>;
}

export function difyLog(id: string, atSeconds: number, more: JsonObject = {}): JsonObject {
  const run = {
    id,
    version: '2026-01-01',
    status: 'succeeded',
    error: null,
    elapsed_time: 1.5,
    total_tokens: 12,
    total_steps: 3,
    created_at: atSeconds,
    finished_at: atSeconds + 2,
    exceptions_count: 0,
    triggered_from: 'app-run',
    ...more,
  };
  return {
    id: `log-${id}`,
    workflow_run: run,
    created_from: 'service-api',
    created_by_role: 'end_user',
    created_by_account: null,
    created_by_end_user: { id: 'u', type: 'service_api', is_anonymous: false, session_id: 'guest' },
    created_at: atSeconds,
  };
}

export async function startDifyServer(): Promise<DifyServer> {
  const state = { logs: [] as JsonObject[], requests: [] as string[], script: [] as DifyServer['script'] };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://dify');
    state.requests.push(`${request.method} ${request.url}`);
    const scripted = state.script.shift();
    if (scripted) return scripted(response);
    if (request.headers.authorization !== `Bearer ${DIFY_KEY}`)
      return sendJson(response, 401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 });
    if (url.pathname !== '/v1/workflows/logs')
      return sendJson(response, 404, { code: 'not_found', message: 'Not Found', status: 404 });
    const limit = Number(url.searchParams.get('limit') ?? 20);
    if (limit > 100) return sendJson(response, 400, { code: 'invalid_param', message: 'limit', status: 400 });
    page(response, url.searchParams, limit);
  });

  function page(response: ServerResponse, query: URLSearchParams, limit: number): void {
    const at = Number(query.get('page') ?? 1);
    const after = query.get('created_at__after');
    const from = after === null ? 0 : Date.parse(after) / 1000;
    const found = [...state.logs].reverse().filter((entry) => Number(entry.created_at) >= from);
    const data = found.slice((at - 1) * limit, at * limit);
    sendJson(response, 200, { page: at, limit, total: found.length, has_more: at * limit < found.length, data });
  }

  return Object.assign(state, await listenLocally(server));
}
