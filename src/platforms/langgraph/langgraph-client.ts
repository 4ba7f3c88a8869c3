import { type Json, parseJson } from '../../core/json.ts';
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
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** A key may be mended, a limit passes. */
const PASSING = [401, 403, 408, 409, 425, 429];

/** @param send guards where a deployment's URL may lead */
export function createLangGraphClient(send: SendRequest, now: () => number): LangGraphClient {
  return {
    async historyPage(server, threadId, { limit, before }) {
      const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
      const url = `${server.url}/threads/${encodeURIComponent(threadId)}/history?${query}`;
      const request = { method: 'GET', url, headers: headersOf(server), body: null } as const;
      return answerOf(await send({ ...request, maxAnswerBytes: MAX_ANSWER_BYTES }), now());
    },
  };
}

/** What each request to a server carries. */
export function headersOf({ credentials }: Pick<LangGraphServer, 'credentials'>): Record<string, string> {
  const { api_key: key, authorization } = credentials;
  return {
    accept: 'application/json',
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function answerOf(answer: OutboundAnswer, now: number): LangGraphAnswer {
  if (answer.kind === 'refused') return failed(answer.reason, { isFinal: true });
  if (answer.kind === 'unreachable') return failed(answer.reason, { isOfServer: true });
  const { status, body, headers } = answer;
  if (status < 200 || status >= 300) {
    const isPassing = status >= 500 || PASSING.includes(status);
    const failure = failed(reasonOf(status), { isFinal: !isPassing, isOfServer: isPassing });
    return { ...failure, afterMs: retryAfterMs(headers['retry-after'], now) };
  }
  const value = parseJson(body);
  if (value !== undefined) return { kind: 'answered', value };
  if (Buffer.byteLength(body) >= MAX_ANSWER_BYTES) return { kind: 'too_large' };
  return failed('The deployment answered with something else than JSON.', { isOfServer: true });
}

function reasonOf(status: number): string {
  if (status === 401 || status === 403) return `The deployment does not accept its credentials (${status}).`;
  if (status === 404) return 'The deployment knows no such thread (404): it may have been deleted.';
  return `The deployment answered ${status}.`;
}

export function failed(
  reason: string,
  { isFinal = false, isOfServer = false }: { isFinal?: boolean; isOfServer?: boolean } = {},
): LangGraphFailure {
  return { kind: 'failed', reason, afterMs: null, isFinal, isOfServer };
}
