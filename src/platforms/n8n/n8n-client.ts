import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { platformError, requireResponse } from '../outbound/platform-error.ts';
import type { FetchBytes, OutboundAnswer, OutboundRequest } from '../outbound/send-request.ts';
import { readN8nObject } from './n8n-page.ts';

/** Address of an n8n server, and the key of its public API. */
export interface N8nAccess {
  /** Without a trailing slash. */
  url: string;
  apiKey: string;
}

/**
 * The public API of n8n. Every failure is an AppError: `conflict` if a retry would not help, `unreachable`
 * if it may, with `retryAfterSeconds` if the server sent it.
 */
export interface N8nClient {
  /**
   * A raw page of executions, newest first; then, if the caller cannot read it, smaller pages from the same position, the
   * last one without its execution's data. @param cursor null for the newest
   */
  executions(access: N8nAccess, cursor: string | null): AsyncIterable<Buffer>;
  /** The raw execution with its data; null if it no longer exists. */
  execution(access: N8nAccess, executionId: string): Promise<Buffer | null>;
  /** Reads one workflow to check the address and the key. */
  check(access: N8nAccess): Promise<void>;
  /** A raw page. */
  workflows(access: N8nAccess, cursor: string | null): Promise<Buffer>;
  /** Null if absent. */
  workflow(access: N8nAccess, workflowId: string): Promise<JsonObject | null>;
  /** Replaces name, nodes, connections and settings. */
  replaceWorkflow(access: N8nAccess, workflowId: string, workflow: JsonObject): Promise<void>;
}

/** Executions per page, fewer if they are large; n8n lists at most 250. */
const PAGE_SIZES = [25, 5, 1];
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
/** Workflows per page, fewer if they are large. */
const WORKFLOW_PAGE_SIZES = [100, 20, 4, 1];
const MAX_WORKFLOW_BYTES = 2 * 1024 * 1024;

const NAMES = { platform: 'n8n', credential: 'the API key' };

export function createN8nClient(fetchBytes: FetchBytes, { now }: { now(): number }): N8nClient {
  async function ask(
    { url, apiKey }: N8nAccess,
    path: string,
    more: Partial<Pick<OutboundRequest, 'method' | 'body'>> & Pick<OutboundRequest, 'maxAnswerBytes'>,
  ): Promise<Extract<OutboundAnswer<Buffer>, { kind: 'answered' }>> {
    const headers: Record<string, string> = { accept: 'application/json', 'x-n8n-api-key': apiKey };
    if (more.body) headers['content-type'] = 'application/json';
    const answer = await fetchBytes({ method: 'GET', body: null, ...more, url: `${url}/api/v1${path}`, headers });
    return requireResponse(answer, NAMES.platform);
  }

  async function read(access: N8nAccess, path: string, maxBytes: number): Promise<Buffer | 'missing' | 'too large'> {
    const answer = await ask(access, path, { maxAnswerBytes: maxBytes });
    if (answer.status === 404) return 'missing';
    if (answer.status !== 200) throw platformError(answer, NAMES, now());
    return answer.body.length < maxBytes ? answer.body : 'too large';
  }

  async function one(access: N8nAccess, path: string, maxBytes: number): Promise<Buffer | null> {
    const body = await read(access, path, maxBytes);
    if (body === 'too large') throw new AppError('conflict', `n8n's answer is larger than ${maxBytes} bytes.`);
    return body === 'missing' ? null : body;
  }

  return {
    async *executions(access, cursor) {
      const tries = [
        ...PAGE_SIZES.map((limit) => ({ limit, includeData: 'true' })),
        { limit: 1, includeData: 'false' },
      ];
      for (const { limit, includeData } of tries) {
        const body = await read(access, `/executions?${queryOf(limit, cursor, { includeData })}`, MAX_PAGE_BYTES);
        if (body === 'missing') throw apiNotFound();
        if (body !== 'too large') yield body;
      }
      throw new AppError('conflict', 'A single execution is too large to be read.');
    },
    execution: (access, id) => one(access, `/executions/${encodeURIComponent(id)}?includeData=true`, MAX_PAGE_BYTES),
    async check(access) {
      const body = await read(
        access,
        `/workflows?${queryOf(1, null, { excludePinnedData: 'true' })}`,
        MAX_WORKFLOW_BYTES,
      );
      if (body === 'missing') throw apiNotFound();
      // A workflow that is too large to be read shows that the key has access.
      if (body !== 'too large') readN8nObject(body);
    },
    async workflows(access, cursor) {
      for (const limit of WORKFLOW_PAGE_SIZES) {
        const query = queryOf(limit, cursor, { excludePinnedData: 'true' });
        const body = await read(access, `/workflows?${query}`, MAX_WORKFLOW_BYTES);
        if (body === 'missing') throw apiNotFound();
        if (body !== 'too large') return body;
      }
      throw new AppError('conflict', `A single workflow is larger than ${MAX_WORKFLOW_BYTES} bytes.`);
    },
    async workflow(access, id) {
      const body = await one(access, `/workflows/${encodeURIComponent(id)}`, MAX_WORKFLOW_BYTES);
      return body === null ? null : readN8nObject(body);
    },
    async replaceWorkflow(access, id, { name, nodes, connections, settings }) {
      const body = JSON.stringify({ name, nodes, connections, settings });
      const answer = await ask(access, `/workflows/${encodeURIComponent(id)}`, {
        method: 'PUT',
        body,
        maxAnswerBytes: MAX_WORKFLOW_BYTES,
      });
      if (answer.status < 200 || answer.status >= 300) throw platformError(answer, NAMES, now());
    },
  };
}

function apiNotFound(): AppError {
  return new AppError('conflict', 'There is no public API of n8n at this address.');
}

function queryOf(limit: number, cursor: string | null, more: Record<string, string>): URLSearchParams {
  const query = new URLSearchParams({ ...more, limit: String(limit) });
  if (cursor !== null) query.set('cursor', withLimit(cursor, limit));
  return query;
}

/** A cursor contains its page size, which overrides the requested one. */
function withLimit(cursor: string, limit: number): string {
  const decoded = parseJson(Buffer.from(cursor, 'base64').toString());
  if (!isJsonObject(decoded) || typeof decoded.limit !== 'number' || decoded.limit <= limit) return cursor;
  return Buffer.from(JSON.stringify({ ...decoded, limit })).toString('base64');
}
