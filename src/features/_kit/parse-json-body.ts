import { type JsonLimits, parseBoundedJson } from '../../core/bounded-json.ts';
import type { Json } from '../../core/json.ts';

/** The JSON of a body; `{}` for an empty one, so that missing members are named. @throws AppError `malformed`, `payload_too_large` */
export function parseJsonBody(body: Buffer, limits: JsonLimits): Json {
  return body.length === 0 ? {} : parseBoundedJson(body, limits);
}
