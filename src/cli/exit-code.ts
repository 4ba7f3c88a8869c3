import { AppError, type ErrorCode } from '../core/app-error.ts';

export const EXIT = {
  clean: 0,
  problems: 1,
  usage: 2,
  failure: 3,
  credentials: 4,
  unreachable: 5,
  busy: 75,
  interrupted: 130,
  terminated: 143,
} as const;

const EXIT_BY_CODE: Record<ErrorCode, number> = {
  malformed: EXIT.usage,
  invalid_query: EXIT.usage,
  invalid_body: EXIT.usage,
  usage: EXIT.usage,
  not_found: EXIT.usage,
  unsupported_media_type: EXIT.usage,
  payload_too_large: EXIT.usage,
  unauthenticated: EXIT.credentials,
  forbidden: EXIT.credentials,
  wrong_tenant: EXIT.credentials,
  unreachable: EXIT.unreachable,
  busy: EXIT.busy,
  backpressure: EXIT.busy,
  rate_limited: EXIT.busy,
  request_timeout: EXIT.busy,
  unavailable: EXIT.busy,
  storage_unavailable: EXIT.failure,
  quota_exceeded: EXIT.failure,
  host_not_allowed: EXIT.failure,
  origin_not_allowed: EXIT.failure,
  route_not_found: EXIT.failure,
  method_not_allowed: EXIT.failure,
  conflict: EXIT.failure,
  invalid_transition: EXIT.failure,
  idempotency_conflict: EXIT.failure,
  vendor_not_configured: EXIT.failure,
  billing_not_configured: EXIT.failure,
  precondition_failed: EXIT.failure,
  precondition_required: EXIT.failure,
  database_newer: EXIT.failure,
  store_unusable: EXIT.failure,
  internal: EXIT.failure,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof AppError) return EXIT_BY_CODE[error.code];
  return isPromptAborted(error) ? EXIT.interrupted : EXIT.failure;
}

/** Ctrl-C in a prompt, as @inquirer/prompts reports it. */
export function isPromptAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}
