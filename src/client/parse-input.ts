import type { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import { MAX_FIELD_ERRORS } from '../core/bounded-errors.ts';
import type { FieldError } from '../core/field-error.ts';
import { toPointer } from '../features/_kit/field-errors.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';

/**
 * The input as parsed by the operation's schemas, as a server does for a request.
 * @throws AppError `invalid_query`, `invalid_body`
 */
export function parseInput(operation: AnyOperation, input: unknown): Record<string, unknown> {
  const { params, query, body } = operation;
  return {
    ...(params ? check(params, input, 'invalid_query', '?') : {}),
    ...(query ? check(query, input, 'invalid_query', '?') : {}),
    ...(body ? check(body, bodyOf(operation, input), 'invalid_body', '/') : {}),
  };
}

/** A strict body schema must not see the members of the path. */
function bodyOf({ params, query }: AnyOperation, input: unknown): unknown {
  const elsewhere = new Set([...Object.keys(params?.shape ?? {}), ...Object.keys(query?.shape ?? {})]);
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => !elsewhere.has(name)));
}

function check(schema: z.ZodType, input: unknown, code: 'invalid_query' | 'invalid_body', mark: '?' | '/'): object {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data as object;
  const errors = parsed.error.issues
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ path, message }): FieldError => ({ pointer: pointerOf(mark, path), message }));
  throw new AppError(code, code === 'invalid_body' ? 'Request body failed validation.' : 'Query validation failed.', {
    errors,
  });
}

/** In the server's notation: a JSON Pointer in a body, the parameter's name in a query. */
function pointerOf(mark: '?' | '/', path: readonly PropertyKey[]): string {
  if (mark === '?') return `?${path.map(String).join('/')}`;
  return toPointer(path) || '/';
}
