import { AppError } from '../../core/app-error.ts';
import { assertJsonWithin, parseBoundedJson, utf8Text } from '../../core/bounded-json.ts';
import type { Json } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';

/** JSON under any content type: LangGraph sends it as plain text. @throws AppError `malformed`, `payload_too_large` */
export function webhookJson(body: Buffer): Json {
  return parseBoundedJson(body, BODY_LIMITS.runs);
}

/** Text that holds JSON, as a whole or in lines. @throws AppError `malformed`, `payload_too_large` */
export function webhookText(body: Buffer): string {
  assertJsonWithin(body, BODY_LIMITS.runs);
  return utf8Text(body);
}

/** @throws AppError `invalid_body` for an empty list, which every platform refuses alike */
export function assertHasRuns(value: Json): void {
  if (!Array.isArray(value) || value.length > 0) return;
  throw new AppError('invalid_body', 'The body contains no runs.', {
    errors: [{ pointer: '', message: 'must contain at least one run' }],
  });
}

/** Runs a decoder that walks its value recursively. @throws AppError `malformed` for JSON that is nested too deeply */
export function decodeShallow<Runs extends Decoded>(decode: () => Runs): Runs {
  try {
    return decode();
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('malformed', 'The body is nested too deeply.');
    throw error;
  }
}
