import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { changeJson } from './change-json.ts';
import type { Executor } from './executor.ts';
import { formatJson } from './format-json.ts';
import { jsonPointer } from './json-pointer.ts';
import type { JsonResource, JsonResourceClient } from './json-resource.ts';
import { rejectNoChange } from './reject-change.ts';

const HEADER_NAME =
  /^(?!(host|connection|content-length|transfer-encoding|upgrade)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/i;
const HEADER_VALUE = /^[\x20-\x7e]{0,2000}$/;
const MASK = '****';

const target = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('URL that returns a JSON document for GET'),
  method: z.enum(['PUT', 'PATCH']).default('PUT').describe('Method that writes the whole changed document'),
  headers: z
    .record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE))
    .default({})
    .describe('Sent with each request, such as Authorization; stored encrypted and shown masked'),
  pointer: jsonPointer,
});
type Target = z.output<typeof target>;

/** A JSON document behind a URL that belongs to no known platform. */
export function createHttpJsonExecutor(client: JsonResourceClient): Executor<Target> {
  return {
    name: 'http_json',
    target,
    describe: ({ url, pointer }) => withoutQuery(url) + (pointer && ` ${pointer}`),
    masked: (shown) => ({
      ...shown,
      url: withoutQuery(shown.url) + (new URL(shown.url).search && `?${MASK}`),
      headers: Object.fromEntries(Object.keys(shown.headers).map((name) => [name, MASK])),
    }),
    read: (_scope, to) => client.read(toResource(to)),
    plan: ({ pointer }, content, changes) => planJson(content, pointer, changes),
    write: (_scope, to, content, expected) => client.write(toResource(to), content, expected),
  };
}

/** `plan` of executors for JSON documents. @throws AppError `invalid_body` */
export function planJson(content: string, pointer: string, changes: Parameters<typeof changeJson>[2]): string {
  return rejectNoChange(content, formatJson(changeJson(JSON.parse(content) as Json, pointer, changes).value));
}

function toResource({ url, method, headers }: Target): JsonResource {
  return { url, method, headers };
}

/** Query strings often hold keys. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
