import type { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import type { Json } from '../core/json.ts';
import { fieldErrorsOf } from '../features/_kit/field-errors.ts';

export { receivedJson as parseBody } from '../features/_kit/received-json.ts';

/** @throws AppError `invalid_body` with a pointer to each field at fault */
export function checkBody(schema: z.ZodType, body: Json): unknown {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_body', 'The body does not fit.', { errors: fieldErrorsOf(parsed.error) });
}
