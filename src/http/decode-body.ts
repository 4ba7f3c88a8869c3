import type { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import type { Json } from '../core/json.ts';
import { fieldErrorsOf } from '../features/_kit/field-errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** An empty body counts as `{}`, so that what is missing is told by name. @throws AppError `malformed` */
export function parseBody(body: Buffer): Json {
  if (body.length === 0) return {};
  const value = parse(body);
  if (isDeeperThan(MAX_DEPTH, value))
    throw new AppError('malformed', `The body nests deeper than ${MAX_DEPTH} levels.`);
  return value;
}

function parse(body: Buffer): Json {
  try {
    return JSON.parse(decoder.decode(body)) as Json;
  } catch {
    throw new AppError('malformed', 'The body is no valid JSON in UTF-8.');
  }
}

/** Whatever walks a body recursively stays far from the end of the stack. */
const MAX_DEPTH = 500;

function isDeeperThan(maxDepth: number, value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** @throws AppError `invalid_body` with a pointer to each field at fault */
export function checkBody(schema: z.ZodType, body: Json): unknown {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_body', 'The body does not fit.', { errors: fieldErrorsOf(parsed.error) });
}
