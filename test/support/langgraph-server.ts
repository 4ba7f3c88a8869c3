import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '../../src/core/json.ts';

/** A local stand-in that answers with recorded histories as a LangGraph server does: newest first, page by page, 10 by default. */
export interface LangGraphStandIn {
  url: string;
  /** Checkpoints by thread, newest first. */
  threads: Map<string, JsonObject[]>;
  /** Every request must carry it as `x-api-key`; null: none is asked for. */
  apiKey: string | null;
  asked: { method: string; path: string; headers: IncomingHttpHeaders }[];
  /** Answered instead, in order. */
  faults: { status: number; headers?: Record<string, string>; body?: string; isHeld?: boolean }[];
  /** Blanks before each answer of more than one state. */
  padding: number;
  close(): Promise<void>;
}

const HISTORY = /^\/threads\/([^/?]+)\/history$/;
const DEFAULT_LIMIT = 10;

export async function startLangGraphStandIn(): Promise<LangGraphStandIn> {
  const server: LangGraphStandIn = {
    url: '',
    threads: new Map(),
    apiKey: null,
    asked: [],
    faults: [],
    padding: 0,
    close: async () => {},
  };
  const http = createServer((incoming, outgoing) => {
    const { method = '', headers, url: path = '' } = incoming;
    server.asked.push({ method, path, headers });
    const answer = (status: number, body: Json | string, more: Record<string, string> = {}) => {
      outgoing.writeHead(status, { 'content-type': 'application/json', ...more });
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const fault = server.faults.shift();
    if (fault?.isHeld) return;
    if (fault) return answer(fault.status, fault.body ?? '{}', fault.headers);
    if (server.apiKey !== null && headers['x-api-key'] !== server.apiKey) return answer(403, { detail: 'Forbidden' });
    const { pathname, searchParams } = new URL(path, 'http://local');
    const history = server.threads.get(HISTORY.exec(pathname)?.[1] ?? '');
    if (history === undefined) return answer(404, { detail: 'Not found' });
    const page = pageOf(history, searchParams);
    answer(200, (page.length > 1 ? ' '.repeat(server.padding) : '') + JSON.stringify(page));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  server.close = () =>
    new Promise<void>((done) => {
      http.closeAllConnections();
      http.close(() => done());
    });
  return server;
}

function pageOf(history: readonly JsonObject[], query: URLSearchParams): JsonObject[] {
  const before = query.get('before');
  const from = before === null ? 0 : history.findIndex((state) => idOf(state) === before) + 1;
  return history.slice(from, from + Number(query.get('limit') ?? DEFAULT_LIMIT));
}

function idOf({ checkpoint }: JsonObject): Json | undefined {
  return (checkpoint as JsonObject).checkpoint_id;
}
