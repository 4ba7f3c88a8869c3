import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';

/** A fake LangGraph server: recorded histories, newest first and page by page, and assistants with their versions. */
export interface LangGraphStandIn {
  url: string;
  /** Checkpoints by thread, newest first. */
  threads: Map<string, JsonObject[]>;
  /** States of graphs within graphs, newest first, by namespace. */
  inner: Map<string, JsonObject[]>;
  /** Runs by id. */
  runs: Map<string, JsonObject>;
  assistants: JsonObject[];
  /** Stores `configurable` also as `context`, as newer servers do. */
  mirrorsContext: boolean;
  /** Required in every request as `x-api-key`; null: not required. */
  apiKey: string | null;
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: Json }[];
  /** Responses to the next requests instead, in order. */
  faults: { status: number; headers?: Record<string, string>; body?: string; isHeld?: boolean }[];
  /** Spaces before each response with more than one state. */
  padding: number;
  close(): Promise<void>;
}

const DEFAULT_LIMIT = 10;

export async function startLangGraphStandIn(): Promise<LangGraphStandIn> {
  const server: LangGraphStandIn = {
    url: '',
    threads: new Map(),
    inner: new Map(),
    runs: new Map(),
    assistants: [],
    mirrorsContext: false,
    apiKey: null,
    requests: [],
    faults: [],
    padding: 0,
    close: async () => {},
  };
  const http = createServer(async (incoming, outgoing) => {
    const { method = '', headers, url: path = '' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || 'null') as Json;
    server.requests.push({ method, path, headers, body });
    const answer = (status: number, value: Json | string, more: Record<string, string> = {}) => {
      outgoing.writeHead(status, { 'content-type': 'application/json', ...more });
      outgoing.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    const fault = server.faults.shift();
    if (fault?.isHeld) return;
    if (fault) return answer(fault.status, fault.body ?? '{}', fault.headers);
    if (server.apiKey !== null && headers['x-api-key'] !== server.apiKey) return answer(403, { detail: 'Forbidden' });
    const found = route(server, method, new URL(path, 'http://local'), body);
    if (found === undefined) return answer(404, { detail: 'Not found' });
    const isPage = Array.isArray(found) && found.length > 1;
    answer(200, (isPage ? ' '.repeat(server.padding) : '') + JSON.stringify(found));
  });
  return Object.assign(server, await listenLocally(http));
}

function route(server: LangGraphStandIn, method: string, url: URL, body: Json): Json | undefined {
  const [, area, id = '', part, runId = ''] = url.pathname.split('/');
  const configuration = body as JsonObject;
  if (area === 'assistants' && id === 'search')
    return server.assistants.filter((one) => one.graph_id === configuration.graph_id);
  if (area === 'assistants') {
    const assistant = server.assistants.find((one) => one.assistant_id === id);
    return assistant && method === 'PATCH' ? patch(server, assistant, configuration) : assistant;
  }
  const history = area === 'threads' ? server.threads.get(id) : undefined;
  if (history === undefined) return undefined;
  if (part === 'runs') return server.runs.get(runId);
  if (method === 'POST') return server.inner.get(String((configuration.checkpoint as JsonObject).checkpoint_ns)) ?? [];
  return pageOf(history, url.searchParams);
}

/** Members are replaced completely, which creates a new version. */
function patch({ mirrorsContext }: LangGraphStandIn, assistant: JsonObject, change: JsonObject): JsonObject {
  Object.assign(assistant, change, { version: Number(assistant.version) + 1 });
  const { configurable } = assistant.config as JsonObject;
  if (mirrorsContext) assistant.context = configurable ?? {};
  return assistant;
}

function pageOf(history: readonly JsonObject[], query: URLSearchParams): JsonObject[] {
  const before = query.get('before');
  const from = before === null ? 0 : history.findIndex((state) => idOf(state) === before) + 1;
  return history.slice(from, from + Number(query.get('limit') ?? DEFAULT_LIMIT));
}

function idOf({ checkpoint }: JsonObject): Json | undefined {
  return (checkpoint as JsonObject).checkpoint_id;
}
