import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { answeredBy, platformRefusal } from '../outbound/platform-refusal.ts';
import type { SendRequest } from '../outbound/send-request.ts';

/** Where a Dify stands, and the key of one of its apps. */
export interface DifyAccess {
  /** Without a slash at its end; with or without `/v1`. */
  url: string;
  apiKey: string;
}

export interface DifyLogPage {
  /** Entries of the log, each with the summary of a run. */
  items: JsonObject[];
  hasMore: boolean;
}

/**
 * The service API of one app of Dify. Whatever it refuses is an AppError: `conflict` where asking again would not help,
 * `unreachable` where it may, with `retryAfterSeconds` where it said when.
 */
export interface DifyClient {
  /** Newest first. @param page from 1 @param afterMs Unix milliseconds; null for all */
  logs(access: DifyAccess, page: number, afterMs: number | null): Promise<DifyLogPage>;
}

const NAMES = { platform: 'Dify', credential: 'the key of the app' };
/** The most that Dify gives. */
const PAGE_SIZE = 100;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function createDifyClient(send: SendRequest, options: { now(): number }): DifyClient {
  return {
    async logs({ url, apiKey }, page, afterMs) {
      const query = new URLSearchParams({ page: String(page), limit: String(PAGE_SIZE) });
      if (afterMs !== null) query.set('created_at__after', new Date(afterMs).toISOString());
      const sent = await send({
        method: 'GET',
        url: `${url.replace(/\/v1$/, '')}/v1/workflows/logs?${query}`,
        headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
        body: null,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
      const answer = answeredBy(sent, NAMES.platform);
      if (answer.status !== 200) throw platformRefusal(answer, NAMES, options.now());
      return pageOf(parseJson(answer.body));
    },
  };
}

function pageOf(value: ReturnType<typeof parseJson>): DifyLogPage {
  if (!isJsonObject(value) || !Array.isArray(value.data))
    throw new AppError('conflict', 'What answers there is not the service API of Dify.');
  const items = value.data.filter(isJsonObject);
  // Without an entry the next page would be this one again.
  return { items, hasMore: value.has_more === true && items.length > 0 };
}
