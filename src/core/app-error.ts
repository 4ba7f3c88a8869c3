import { boundedFieldErrors } from './bounded-errors.ts';
import type { FieldError } from './field-error.ts';

/** The closed list of error codes. */
export const ERROR_CODES = [
  'malformed',
  'invalid_query',
  'unauthenticated',
  'quota_exceeded',
  'forbidden',
  'wrong_tenant',
  'host_not_allowed',
  'origin_not_allowed',
  'not_found',
  'route_not_found',
  'method_not_allowed',
  'conflict',
  'invalid_transition',
  'idempotency_conflict',
  'vendor_not_configured',
  'billing_not_configured',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_body',
  'precondition_failed',
  'precondition_required',
  'request_timeout',
  'rate_limited',
  'backpressure',
  'unavailable',
  'storage_unavailable',
  'database_newer',
  'store_unusable',
  'busy',
  'usage',
  'unreachable',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What services throw; one file maps codes to HTTP statuses, one to exit codes. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** At most a hundred, each short. */
  readonly errors: FieldError[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { errors?: FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = boundedFieldErrors(extra.errors ?? []);
    this.retryAfterSeconds = extra.retryAfterSeconds ?? null;
  }
}
