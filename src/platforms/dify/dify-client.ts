import { AppError } from '../../core/app-error.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { platformError, requireResponse } from '../outbound/platform-error.ts';
import type { FetchBytes } from '../outbound/send-request.ts';
import { MAX_LOG_ENTRIES } from './dify-log-page.ts';

/** Address of a Dify server, and the key of one of its apps. */
export interface DifyAccess {
  /** Without a trailing slash; with or without `/v1`. */
  url: string;
  apiKey: string;
}

/**
 * The service API of one Dify app. Every failure is an AppError: `conflict` if a retry would not help,
 * `unreachable` if it may, with `retryAfterSeconds` if the server sent it.
 */
export interface DifyClient {
  /** A raw page of its log, newest first. @param page from 1 @param afterMs Unix milliseconds; null for all */
  logs(access: DifyAccess, page: number, afterMs: number | null): Promise<Buffer>;
  /** Reads one entry of the log to check the address and the key. */
  check(access: DifyAccess): Promise<void>;
}

const NAMES = { platform: 'Dify', credential: 'the key of the app' };
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function createDifyClient(fetchBytes: FetchBytes, options: { now(): number }): DifyClient {
  async function readLogs({ url, apiKey }: DifyAccess, query: URLSearchParams): Promise<Buffer> {
    const sent = await fetchBytes({
      method: 'GET',
      url: `${url.replace(/\/v1$/, '')}/v1/workflows/logs?${query}`,
      headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
      body: null,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    const answer = requireResponse(sent, NAMES.platform);
    if (answer.status !== 200) throw platformError(answer, NAMES, options.now());
    return answer.body;
  }

  return {
    logs(access, page, afterMs) {
      const query = new URLSearchParams({ page: String(page), limit: String(MAX_LOG_ENTRIES) });
      if (afterMs !== null) query.set('created_at__after', new Date(afterMs).toISOString());
      return readLogs(access, query);
    },
    async check(access) {
      const body = await readLogs(access, new URLSearchParams({ page: '1', limit: '1' }));
      if (!isJsonObject(parseJson(body.toString()))) throw new AppError('conflict', 'The answer is not one of Dify.');
    },
  };
}
