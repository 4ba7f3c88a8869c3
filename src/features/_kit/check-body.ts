import type { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { Json } from '../../core/json.ts';
import { fieldErrorsOf } from './field-errors.ts';

/** @throws AppError `invalid_body` with a pointer to each invalid field */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: Json): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_body', 'Request body failed validation.', { errors: fieldErrorsOf(parsed.error) });
}
