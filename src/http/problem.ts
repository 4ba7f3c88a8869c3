import { AppError, type ErrorCode } from '../core/app-error.ts';
import { truncate } from '../core/bounded-errors.ts';
import type { FieldError } from '../core/field-error.ts';
import { encodeStatus, grpcCodeOf } from '../formats/otlp/encode-response.ts';
import { redactFieldError, redactMessage } from '../formats/redaction/redact-message.ts';
import { toStorageError } from '../store/storage-failure.ts';
import { StoreFault } from '../store/store-fault.ts';
import { ERROR_STATUS } from './error-status.ts';
import type { HttpContext, HttpDependencies, HttpMiddleware } from './http-context.ts';
import { redactPath } from './redact-path.ts';
import { respondWith } from './respond.ts';

const MAX_DETAIL_LENGTH = 2_000;
const MAX_INSTANCE_LENGTH = 1_000;
const MAX_READ_LENGTH = 10_000;

/** RFC 9457, with a stable code, the request's id and the invalid fields. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  request_id: string;
  errors: FieldError[];
}

/** Turns every thrown error into a response; an unexpected error is logged and returned as `internal`, without its message. */
export function problemMiddleware({ logger }: Pick<HttpDependencies, 'logger'>): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (ERROR_STATUS[error.code][0] >= 500) {
        const fields = {
          request_id: ctx.state.requestId,
          method: ctx.method,
          path: redactPath(ctx.path),
          ...toCause(error, thrown),
        };
        // The client disconnected, which ends its work and is not an error.
        logger[ctx.res.destroyed ? 'debug' : (LEVELS[error.code] ?? 'error')](fields, 'request failed');
      }
      sendError(ctx, error);
    }
  };
}

/** An overload is expected: its message is enough, and a flood of rejected requests writes no stack traces. */
function toCause(error: AppError, thrown: unknown): { err: unknown } | { reason: string } {
  return error.code === 'backpressure' ? { reason: error.message } : { err: thrown };
}

/**
 * StorageGuard logs when the storage fails and recovers, and damage of the database is logged once, so single rejected
 * requests are not logged.
 */
const LEVELS: Partial<Record<ErrorCode, 'debug' | 'warn'>> = {
  backpressure: 'warn',
  storage_unavailable: 'debug',
  store_unusable: 'debug',
};

export function toAppError(thrown: unknown): AppError {
  const storageError = toStorageError(thrown);
  if (storageError !== null) return storageError;
  if (thrown instanceof AppError && thrown.code === 'store_unusable') return toPublicFault(thrown);
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', 'Internal server error; the log has an entry with this request id.');
}

/** Paths of the data folder are for the operator only. An error from a worker thread arrives without its class. */
function toPublicFault(fault: AppError): AppError {
  const message = fault instanceof StoreFault ? fault.publicMessage : 'The store cannot be used.';
  return new AppError('store_unusable', message, { cause: fault });
}

const DEFAULT_RETRY_SECONDS = 5;
const RETRYABLE_STATUSES = [429, 503];

function sendError(ctx: HttpContext, error: AppError): void {
  const [status] = ERROR_STATUS[error.code];
  const retryAfter = error.retryAfterSeconds ?? (RETRYABLE_STATUSES.includes(status) ? DEFAULT_RETRY_SECONDS : null);
  if (retryAfter !== null) ctx.set('Retry-After', String(Math.ceil(retryAfter)));
  if (status === 401 && !ctx.response.get('WWW-Authenticate')) ctx.set('WWW-Authenticate', 'Bearer realm="misstep"');
  // The body is incomplete; the connection cannot be reused.
  if (status === 408) ctx.set('Connection', 'close');
  if (isOtlpPath(ctx.path)) {
    sendOtlpStatus(ctx, status, error);
    return;
  }
  const problem = toProblem(error, redactPath(ctx.path), ctx.state.requestId);
  respondWith(ctx, status, 'application/problem+json', JSON.stringify(problem));
}

/** At most 64 kB as JSON, whatever the request holds: detail, path and errors are truncated. */
export function toProblem(error: AppError, instance: string, requestId: string): Problem {
  const [status, title] = ERROR_STATUS[error.code];
  return {
    type: `urn:misstep:problem:${error.code}`,
    title,
    status,
    detail: publicDetail(error),
    instance: truncate(redactMessage(instance.slice(0, MAX_READ_LENGTH)), MAX_INSTANCE_LENGTH),
    code: error.code,
    request_id: requestId,
    errors: error.errors.map(redactFieldError),
  };
}

/** A message may quote text from the request. */
function publicDetail({ message }: AppError): string {
  return truncate(redactMessage(message.slice(0, MAX_READ_LENGTH)), MAX_DETAIL_LENGTH);
}

/** OpenTelemetry exporters read `google.rpc.Status` in the encoding they sent. */
function sendOtlpStatus(ctx: HttpContext, status: number, error: AppError): void {
  const isProtobuf = ctx.get('Content-Type').toLowerCase().startsWith('application/x-protobuf');
  const body = encodeStatus(isProtobuf ? 'protobuf' : 'json', grpcCodeOf(status), publicDetail(error));
  respondWith(ctx, status, isProtobuf ? 'application/x-protobuf' : 'application/json', body);
}

function isOtlpPath(path: string): boolean {
  return path.startsWith('/v1/') || path.endsWith('/otel/v1/traces');
}
