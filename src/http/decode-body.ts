import type { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import { type JsonLimits, parseBoundedJson } from '../core/bounded-json.ts';
import type { Json } from '../core/json.ts';
import { fieldErrorsOf } from '../features/_kit/field-errors.ts';

/**
 * An empty body counts as `{}`, so that what is missing is named.
 * @throws AppError `malformed`, `payload_too_large`
 */
export function parseBody(body: Buffer, limits: JsonLimits): Json {
  return body.length === 0 ? {} : parseBoundedJson(body, limits);
}

/** @throws AppError `invalid_body` with a pointer to each field at fault */
export function checkBody(schema: z.ZodType, body: Json): unknown {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_body', 'The body does not fit.', { errors: fieldErrorsOf(parsed.error) });
}
