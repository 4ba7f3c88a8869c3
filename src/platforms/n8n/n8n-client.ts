import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { answeredBy, platformRefusal } from '../outbound/platform-refusal.ts';
import type { OutboundAnswer, OutboundRequest, SendRequest } from '../outbound/send-request.ts';

/** Where an n8n stands, and the key of its public API. */
export interface N8nAccess {
  /** Without a slash at its end. */
  url: string;
  apiKey: string;
}

export interface N8nPage {
  items: JsonObject[];
  /** Where the next page begins; null after the last. */
  cursor: string | null;
  /** Executions are without their data: with it the page was too large. */
  isBare: boolean;
}

/**
 * The public API of n8n. Whatever it refuses is an AppError: `conflict` where asking again would not help, `unreachable`
 * where it may, with `retryAfterSeconds` where it said when.
 */
export interface N8nClient {
  /** Newest first, with data. @param cursor null for the newest */
  executions(access: N8nAccess, cursor: string | null): Promise<N8nPage>;
  /** With its data; null where there is none any more. */
  execution(access: N8nAccess, executionId: string): Promise<JsonObject | null>;
  workflows(access: N8nAccess, cursor: string | null): Promise<N8nPage>;
  /** Null where there is none. */
  workflow(access: N8nAccess, workflowId: string): Promise<JsonObject | null>;
  /** Puts name, nodes, connections and settings in the place of what stands there. */
  replaceWorkflow(access: N8nAccess, workflowId: string, workflow: JsonObject): Promise<void>;
}

/** Executions a page, fewer where they are large; n8n lists at most 250. */
const PAGE_SIZES = [25, 5, 1];
const WORKFLOW_PAGE = 100;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const NAMES = { platform: 'n8n', credential: 'the API key' };

export function createN8nClient(
  send: SendRequest,
  options: { now(): number; maxAnswerBytes?: number; pageSizes?: readonly number[] },
): N8nClient {
  const { now, maxAnswerBytes = MAX_ANSWER_BYTES, pageSizes = PAGE_SIZES } = options;

  async function ask(
    { url, apiKey }: N8nAccess,
    path: string,
    more: Partial<Pick<OutboundRequest, 'method' | 'body'>> = {},
  ): Promise<Extract<OutboundAnswer, { kind: 'answered' }>> {
    const headers: Record<string, string> = { accept: 'application/json', 'x-n8n-api-key': apiKey };
    if (more.body) headers['content-type'] = 'application/json';
    const answer = await send({
      method: 'GET',
      body: null,
      ...more,
      url: `${url}/api/v1${path}`,
      headers,
      maxAnswerBytes,
    });
    return answeredBy(answer, NAMES.platform);
  }

  async function read(access: N8nAccess, path: string): Promise<JsonObject | 'missing' | 'too large'> {
    const answer = await ask(access, path);
    if (answer.status === 404) return 'missing';
    if (answer.status !== 200) throw platformRefusal(answer, NAMES, now());
    const value = parseJson(answer.body);
    if (isJsonObject(value)) return value;
    if (Buffer.byteLength(answer.body) >= maxAnswerBytes) return 'too large';
    throw new AppError('conflict', 'What answers there is not the public API of n8n.');
  }

  async function one(access: N8nAccess, path: string): Promise<JsonObject | null> {
    const value = await read(access, path);
    if (value === 'too large') throw new AppError('conflict', `n8n's answer is larger than ${maxAnswerBytes} bytes.`);
    return value === 'missing' ? null : value;
  }

  return {
    async executions(access, cursor) {
      const tries = [
        ...pageSizes.map((limit) => ({ limit, isBare: false })),
        { limit: pageSizes.at(-1) ?? 1, isBare: true },
      ];
      for (const { limit, isBare } of tries) {
        const query = new URLSearchParams({ includeData: String(!isBare), limit: String(limit) });
        if (cursor !== null) query.set('cursor', withLimit(cursor, limit));
        const value = await read(access, `/executions?${query}`);
        if (value !== 'too large') return { ...pageOf(value), isBare };
      }
      throw new AppError('conflict', 'A single execution is too large to be read.');
    },
    execution: (access, id) => one(access, `/executions/${encodeURIComponent(id)}?includeData=true`),
    async workflows(access, cursor) {
      const query = new URLSearchParams({ limit: String(WORKFLOW_PAGE), excludePinnedData: 'true' });
      if (cursor !== null) query.set('cursor', cursor);
      return { ...pageOf(await read(access, `/workflows?${query}`)), isBare: false };
    },
    workflow: (access, id) => one(access, `/workflows/${encodeURIComponent(id)}`),
    async replaceWorkflow(access, id, { name, nodes, connections, settings }) {
      const body = JSON.stringify({ name, nodes, connections, settings });
      const answer = await ask(access, `/workflows/${encodeURIComponent(id)}`, { method: 'PUT', body });
      if (answer.status < 200 || answer.status >= 300) throw platformRefusal(answer, NAMES, now());
    },
  };
}

function pageOf(value: JsonObject | 'missing' | 'too large'): { items: JsonObject[]; cursor: string | null } {
  if (value === 'missing') throw new AppError('conflict', 'There is no public API of n8n at this address.');
  if (value === 'too large' || !Array.isArray(value.data))
    throw new AppError('conflict', 'What answers there is not the public API of n8n.');
  const { nextCursor } = value;
  return {
    items: value.data.filter((item: Json) => isJsonObject(item)) as JsonObject[],
    cursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  };
}

/** A cursor holds the size of its pages, which stands above the one that is asked for. */
function withLimit(cursor: string, limit: number): string {
  const said = parseJson(Buffer.from(cursor, 'base64').toString());
  if (!isJsonObject(said) || typeof said.limit !== 'number' || said.limit <= limit) return cursor;
  return Buffer.from(JSON.stringify({ ...said, limit })).toString('base64');
}
