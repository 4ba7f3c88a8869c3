import type { ErrorCode } from '../core/app-error.ts';
import type { JsonObject } from '../core/json.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { ERROR_STATUS } from './error-status.ts';

/** Errors that every route may return: an unknown host or origin, a malformed query. */
const EVERY_ROUTE: readonly ErrorCode[] = ['invalid_query', 'host_not_allowed'];
const WITH_CREDENTIAL: readonly ErrorCode[] = ['unauthenticated', 'forbidden'];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_body',
];
const WITH_KEY: readonly ErrorCode[] = ['conflict', 'idempotency_conflict'];

/** Only guests of `public` operations have no space for idempotency keys. */
export function hasIdempotencyKeys({ method, access }: Pick<AnyOperation, 'method' | 'access'>): boolean {
  return method === 'POST' && (access.kind === 'tenant' || access.kind === 'operator');
}

/** The errors of an operation: those that its definition implies, and those that it lists. */
export function errorCodesOf(operation: AnyOperation): ErrorCode[] {
  return [
    ...EVERY_ROUTE,
    ...(operation.access.kind === 'public' ? [] : WITH_CREDENTIAL),
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.body ? WITH_BODY : []),
    ...(hasIdempotencyKeys(operation) ? WITH_KEY : []),
    ...(operation.errorCodes ?? []),
  ];
}

/** OpenAPI responses for errors by status; `default` covers errors of the server and overload. */
export function toResponses(codes: readonly ErrorCode[]): Record<string, JsonObject> {
  const statuses = [...new Set(codes.map((code) => String(ERROR_STATUS[code][0])))].sort();
  return Object.fromEntries([...statuses, 'default'].map((status) => [status, pointerTo(status)]));
}

/** Targets of the pointers of `toResponses`: one response per status, which lists its error codes. @param schema of a problem */
export function problemResponses(schema: JsonObject): Record<string, JsonObject> {
  const content = { 'application/problem+json': { schema } };
  const codes = Object.entries(ERROR_STATUS).filter(([, [status]]) => status < 500);
  const byStatus = Map.groupBy(codes, ([, [status]]) => status);
  const byName = [...byStatus].map(([status, some]) => {
    const description = some.map(([code, [, title]]) => `${title}: \`${code}\``).join(' · ');
    return [nameOf(String(status)), { description, content }] as const;
  });
  return {
    ...Object.fromEntries(byName),
    [nameOf('default')]: { description: 'Error of the server, or overload', content },
  };
}

function nameOf(status: string): string {
  return status === 'default' ? 'Problem' : `Problem${status}`;
}

function pointerTo(status: string): JsonObject {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}
