import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { retryAfterMs } from '../outbound/judge-answer.ts';
import type { OutboundAnswer, SendRequest } from '../outbound/send-request.ts';

/** A LangGraph server: a deployment, or `langgraph dev`. */
export interface LangGraphServer {
  /** Without a slash at its end. */
  url: string;
  /** `api_key` is sent as `x-api-key`, `authorization` as the header of that name. */
  credentials: Readonly<Record<string, string>>;
}

export type LangGraphAnswer =
  | { kind: 'answered'; value: Json }
  /** Longer than is read of an answer; a smaller page may do. */
  | { kind: 'too_large' }
  | LangGraphFailure;

export interface LangGraphFailure {
  kind: 'failed';
  /** In plain words, without addresses and credentials. */
  reason: string;
  /** What the server asks to wait; null where it says nothing. */
  afterMs: number | null;
  /** Trying again would give the same. */
  isFinal: boolean;
  /** Other runs of the server will meet the same. */
  isOfServer: boolean;
}

export interface LangGraphClient {
  /** States of a thread, newest first, those before the checkpoint `before`. */
  historyPage(
    server: LangGraphServer,
    threadId: string,
    page: { limit: number; before: string | null },
  ): Promise<LangGraphAnswer>;
  /** States of a graph within a graph, newest first; an empty list where there are none. */
  innerHistory(
    server: LangGraphServer,
    threadId: string,
    page: { limit: number; namespace: string },
  ): Promise<LangGraphAnswer>;
  run(server: LangGraphServer, threadId: string, runId: string): Promise<LangGraphAnswer>;
  assistant(server: LangGraphServer, assistantId: string): Promise<LangGraphAnswer>;
  /** Those of a graph, a hundred at most. */
  assistantsOf(server: LangGraphServer, graphId: string): Promise<LangGraphAnswer>;
  /** Members that are named are replaced whole; the server keeps what was there as an older version. */
  changeAssistant(server: LangGraphServer, assistantId: string, change: JsonObject): Promise<LangGraphAnswer>;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const MAX_ASSISTANTS = 100;
/** A key may be mended, a limit passes. */
const PASSING = [401, 403, 408, 409, 425, 429];

/** @param send guards where a deployment's URL may lead */
export function createLangGraphClient(send: SendRequest, now: () => number): LangGraphClient {
  async function ask(
    server: LangGraphServer,
    request: { method?: 'GET' | 'POST' | 'PATCH'; path: string; body?: Json; of: string },
  ): Promise<LangGraphAnswer> {
    const { method = 'GET', path, body, of } = request;
    const answer = await send({
      method,
      url: server.url + path,
      headers: { ...headersOf(server), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    return answerOf(answer, of, now());
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
    assistant: (server, assistantId) => ask(server, { path: assistant(assistantId), of: 'assistant' }),
    assistantsOf: (server, graphId) =>
      ask(server, {
        method: 'POST',
        path: '/assistants/search',
        body: { graph_id: graphId, limit: MAX_ASSISTANTS },
        of: 'graph',
      }),
    changeAssistant: (server, assistantId, change) =>
      ask(server, { method: 'PATCH', path: assistant(assistantId), body: change, of: 'assistant' }),
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

function answerOf(answer: OutboundAnswer, of: string, now: number): LangGraphAnswer {
  if (answer.kind === 'refused') return failed(answer.reason, { isFinal: true });
  if (answer.kind === 'unreachable') return failed(answer.reason, { isOfServer: true });
  const { status, body, headers } = answer;
  if (status < 200 || status >= 300) {
    const isPassing = status >= 500 || PASSING.includes(status);
    const failure = failed(reasonOf(status, of), { isFinal: !isPassing, isOfServer: isPassing });
    return { ...failure, afterMs: retryAfterMs(headers['retry-after'], now) };
  }
  const value = parseJson(body);
  if (value !== undefined) return { kind: 'answered', value };
  if (Buffer.byteLength(body) >= MAX_ANSWER_BYTES) return { kind: 'too_large' };
  return failed('The deployment answered with something else than JSON.', { isOfServer: true });
}

function reasonOf(status: number, of: string): string {
  if (status === 401 || status === 403) return `The deployment does not accept its credentials (${status}).`;
  if (status === 404) return `The deployment knows no such ${of} (404): it may have been deleted.`;
  return `The deployment answered ${status}.`;
}

export function failed(
  reason: string,
  { isFinal = false, isOfServer = false }: { isFinal?: boolean; isOfServer?: boolean } = {},
): LangGraphFailure {
  return { kind: 'failed', reason, afterMs: null, isFinal, isOfServer };
}
