import { AppError, ERROR_CODES, type ErrorCode } from '../core/app-error.ts';
import type { FieldError } from '../core/field-error.ts';
import { isJsonObject, type Json } from '../core/json.ts';

const OF_STATUS: Record<number, ErrorCode> = {
  400: 'malformed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'route_not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_body',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Converts an error response (RFC 9457 problem+json, or any other body) to the error that the server threw. */
export function toAppError(status: number, body: Json | undefined, retryAfter: string | null): AppError {
  const problem = isJsonObject(body) ? body : {};
  const known = ERROR_CODES.find((code) => code === problem.code);
  const code = known ?? OF_STATUS[status] ?? 'internal';
  const message = typeof problem.detail === 'string' ? problem.detail : `The server answered with status ${status}.`;
  const seconds = Number.parseInt(retryAfter ?? '', 10);
  return new AppError(code, message, {
    errors: (Array.isArray(problem.errors) ? problem.errors : []).filter(isFieldError),
    ...(Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }),
  });
}

function isFieldError(value: unknown): value is FieldError & { [key: string]: Json } {
  return isJsonObject(value) && typeof value.pointer === 'string' && typeof value.message === 'string';
}
