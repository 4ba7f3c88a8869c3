import type { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import type { Json } from '../core/json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** An empty body counts as `{}`, so that what is missing is told by name. @throws AppError `malformed` */
export function parseBody(body: Buffer): Json {
  if (body.length === 0) return {};
  try {
    return JSON.parse(decoder.decode(body)) as Json;
  } catch {
    throw new AppError('malformed', 'The body is no valid JSON in UTF-8.');
  }
}

/** @throws AppError `invalid_body` with a pointer to each field at fault */
export function checkBody(schema: z.ZodType, body: Json): unknown {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_body', 'The body does not fit.', {
    errors: parsed.error.issues.map((issue) => ({ pointer: toPointer(issue.path), message: issue.message })),
  });
}

/** RFC 6901. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
