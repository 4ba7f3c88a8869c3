import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { retryAfterMs } from '../outbound/send-outcome.ts';
import type { FetchBytes, OutboundAnswer } from '../outbound/send-request.ts';

/** A LangGraph server: a deployment, or `langgraph dev`. */
export interface LangGraphServer {
  /** Without a trailing slash. */
  url: string;
  /** `api_key` is sent as `x-api-key`, `authorization` as the header of that name. */
  credentials: Readonly<Record<string, string>>;
}

export type LangGraphAnswer =
  | { kind: 'answered'; value: Json }
  /** The response exceeds the size limit. */
  | { kind: 'too_large' }
  | LangGraphFailure;

/** A raw response: with states of a thread it is too large to be parsed on the event loop. */
export type LangGraphBytes =
  | { kind: 'answered'; body: Buffer }
  /** The response exceeds the size limit; a smaller page may fit. */
  | { kind: 'too_large' }
  | LangGraphFailure;

export interface LangGraphFailure {
  kind: 'failed';
  /** Without addresses and credentials. */
  reason: string;
  /** Delay that the server asked for; null if it sent none. */
  afterMs: number | null;
  /** A retry would fail the same way. */
  isFinal: boolean;
  /** Other runs of the server will fail the same way. */
  isOfServer: boolean;
}

export interface LangGraphClient {
  /** States of a thread, newest first, those before the checkpoint `before`. */
  historyPage(
    server: LangGraphServer,
    threadId: string,
    page: { limit: number; before: string | null },
  ): Promise<LangGraphBytes>;
  /** States of a subgraph, newest first; empty if it has none. */
  innerHistory(
    server: LangGraphServer,
    threadId: string,
    page: { limit: number; namespace: string },
  ): Promise<LangGraphBytes>;
  run(server: LangGraphServer, threadId: string, runId: string): Promise<LangGraphBytes>;
  /** Reads one assistant, if there is any, to check the address and the credentials. */
  check(server: LangGraphServer): Promise<LangGraphAnswer>;
  assistant(server: LangGraphServer, assistantId: string): Promise<LangGraphAnswer>;
  /** The assistants of a graph, a hundred at most. */
  assistantsOf(server: LangGraphServer, graphId: string): Promise<LangGraphAnswer>;
  /** Named members are replaced as a whole; the server keeps the old content as an older version. */
  changeAssistant(server: LangGraphServer, assistantId: string, change: JsonObject): Promise<LangGraphAnswer>;
}

const MAX_STATES_BYTES = 16 * 1024 * 1024;
/** Assistants are parsed on the event loop. */
const MAX_ASSISTANTS_BYTES = 2 * 1024 * 1024;
const MAX_ASSISTANTS = 100;
/** A retry may succeed: a key may be corrected, a limit expires. */
const TEMPORARY_STATUSES = [401, 403, 408, 409, 425, 429];

interface Question {
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: Json;
  /** The resource in the path: `thread`. */
  of: string;
}

/** @param fetchBytes guards the target of a deployment's URL */
export function createLangGraphClient(fetchBytes: FetchBytes, now: () => number): LangGraphClient {
  async function ask(
    server: LangGraphServer,
    { method = 'GET', path, body, of }: Question,
    maxAnswerBytes = MAX_STATES_BYTES,
  ): Promise<LangGraphBytes> {
    const answer = await fetchBytes({
      method,
      url: server.url + path,
      headers: { ...headersOf(server), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      maxAnswerBytes,
    });
    const answered = answerOf(answer, of, now());
    return answered.kind === 'answered' && answered.body.length >= maxAnswerBytes ? { kind: 'too_large' } : answered;
  }

  async function read(server: LangGraphServer, question: Question): Promise<LangGraphAnswer> {
    const answer = await ask(server, question, MAX_ASSISTANTS_BYTES);
    if (answer.kind !== 'answered') return answer;
    const value = parseJson(answer.body.toString());
    return value === undefined ? notJson() : { kind: 'answered', value };
  }

  const thread = (threadId: string) => `/threads/${encodeURIComponent(threadId)}`;
  const assistant = (assistantId: string) => `/assistants/${encodeURIComponent(assistantId)}`;

  return {
    historyPage(server, threadId, { limit, before }) {
      const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
      return ask(server, { path: `${thread(threadId)}/history?${query}`, of: 'thread' });
    },
    innerHistory: (server, threadId, { limit, namespace }) =>
      ask(server, {
        method: 'POST',
        path: `${thread(threadId)}/history`,
        body: { limit, checkpoint: { checkpoint_ns: namespace } },
        of: 'thread',
      }),
    run: (server, threadId, runId) =>
      ask(server, { path: `${thread(threadId)}/runs/${encodeURIComponent(runId)}`, of: 'run' }),
    check: (server) =>
      read(server, { method: 'POST', path: '/assistants/search', body: { limit: 1 }, of: 'assistant list' }),
    assistant: (server, assistantId) => read(server, { path: assistant(assistantId), of: 'assistant' }),
    assistantsOf: (server, graphId) =>
      read(server, {
        method: 'POST',
        path: '/assistants/search',
        body: { graph_id: graphId, limit: MAX_ASSISTANTS },
        of: 'graph',
      }),
    changeAssistant: (server, assistantId, change) =>
      read(server, { method: 'PATCH', path: assistant(assistantId), body: change, of: 'assistant' }),
  };
}

function headersOf({ credentials }: LangGraphServer): Record<string, string> {
  const { api_key: key, authorization } = credentials;
  return {
    accept: 'application/json',
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function answerOf(answer: OutboundAnswer<Buffer>, of: string, now: number): LangGraphBytes {
  if (answer.kind === 'refused') return failed(answer.reason, { isFinal: true });
  if (answer.kind === 'unreachable') return failed(answer.reason, { isOfServer: true });
  const { status, body, headers } = answer;
  if (status < 200 || status >= 300) {
    const isPassing = status >= 500 || TEMPORARY_STATUSES.includes(status);
    const failure = failed(reasonOf(status, of), { isFinal: !isPassing, isOfServer: isPassing });
    return { ...failure, afterMs: retryAfterMs(headers['retry-after'], now) };
  }
  return { kind: 'answered', body };
}

/** The server is not a LangGraph server. */
export function notJson(): LangGraphFailure {
  return failed('The deployment did not answer with JSON.', { isOfServer: true });
}

function reasonOf(status: number, of: string): string {
  if (status === 401 || status === 403) return `The deployment does not accept its credentials (${status}).`;
  if (status === 404) return `The deployment has no such ${of} (404): it may have been deleted.`;
  return `The deployment answered ${status}.`;
}

export function failed(
  reason: string,
  { isFinal = false, isOfServer = false }: { isFinal?: boolean; isOfServer?: boolean } = {},
): LangGraphFailure {
  return { kind: 'failed', reason, afterMs: null, isFinal, isOfServer };
}
