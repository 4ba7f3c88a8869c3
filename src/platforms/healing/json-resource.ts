import { AppError } from '../../core/app-error.ts';
import { type Json, parseJson } from '../../core/json.ts';
import type { OutboundAnswer, SendRequest } from '../outbound/send-request.ts';
import type { Current } from './executor.ts';
import { formatJson } from './format-json.ts';
import { TargetNotEnabledError } from './target-not-enabled-error.ts';

/** A JSON document behind a URL: read by GET, replaced by PUT or PATCH. */
export interface JsonResource {
  url: string;
  method: 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  /** The part of a response that is written back; if omitted, all of it. */
  managed?(answer: Json): Json;
}

const MAX_BYTES = 4 * 1024 * 1024;

export interface JsonResourceClient {
  /** @throws AppError `unreachable`, or `conflict` if the response is not JSON */
  read(resource: JsonResource): Promise<Current>;
  /** Conditional by `If-Match` if the document has an ETag. @throws AppError `conflict`, `unreachable` */
  write(resource: JsonResource, content: string, expected: Current): Promise<void>;
}

/** Used by executors for platforms. @param send guards the URL's target */
export function createJsonResourceClient(send: SendRequest): JsonResourceClient {
  return {
    async read({ url, headers, managed = (answer) => answer }) {
      const request = { method: 'GET', url, headers: { accept: 'application/json', ...headers }, body: null } as const;
      const answer = requireSuccess(await send({ ...request, maxAnswerBytes: MAX_BYTES }), 'read');
      const document = parseJson(answer.body);
      if (document === undefined)
        throw new AppError('conflict', 'The current content is not valid JSON, or is larger than 4 MiB.');
      return { content: formatJson(managed(document)), version: strongTag(answer.headers.etag) };
    },
    async write({ url, method, headers }, content, { version }) {
      const condition: Record<string, string> = version === null ? {} : { 'if-match': version };
      const all = { 'content-type': 'application/json', accept: 'application/json', ...headers, ...condition };
      requireSuccess(await send({ method, url, headers: all, body: content, maxAnswerBytes: MAX_BYTES }), 'written');
    },
  };
}

type Answered = Extract<OutboundAnswer, { kind: 'answered' }>;

function requireSuccess(answer: OutboundAnswer, what: 'read' | 'written'): Answered {
  if (answer.kind === 'refused') throw new TargetNotEnabledError(answer.reason);
  if (answer.kind === 'unreachable') throw new AppError('unreachable', answer.reason);
  if (answer.status >= 200 && answer.status < 300) return answer;
  if (answer.status === 412) throw new AppError('conflict', 'It was changed since it was read; nothing was written.');
  throw new AppError('unreachable', `It cannot be ${what}: the other service answered ${answer.status}.`);
}

/** A weak tag must not be used with If-Match (RFC 9110, 13.1.1). */
function strongTag(etag: string | undefined): string | null {
  return etag?.startsWith('"') ? etag : null;
}
