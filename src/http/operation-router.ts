import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import Router from '@koa/router';
import { AppError } from '../core/app-error.ts';
import { isJsonWithin } from '../core/bounded-json.ts';
import type { Json } from '../core/json.ts';
import { JsonText } from '../core/json-text.ts';
import { bodyLimitOf } from '../features/_kit/body-limits.ts';
import type { Caller } from '../features/_kit/caller.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { type CallerContext, runOperation } from '../features/audit/run-operation.ts';
import type { Services } from '../features/services.ts';
import { needsStorage } from '../features/storage/needs-storage.ts';
import { type Authenticate, GUEST } from './authenticate.ts';
import { authorize, type RegistrationPolicy } from './authorize.ts';
import { type BodyReader, toBodyLimits } from './body-reader.ts';
import { checkBody, parseBody } from './decode-body.ts';
import { decodeQuery } from './decode-query.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpContext, HttpState } from './http-context.ts';
import { type IdempotentResponse, runOnce, runOnceByHash } from './idempotency-key.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from './media-type.ts';
import type { ProxyTrust } from './peer-address.ts';
import { registrationPolicyOf } from './registration-policy.ts';
import { disconnectSignal, respondWith } from './respond.ts';

export const API_PREFIX = '/api/v1';

export interface RouterParts {
  services: Services;
  config: HttpConfig;
  authenticate: Authenticate;
  bodies: BodyReader;
  proxies: ProxyTrust;
}

/** Routes are case-sensitive and strict about a final slash; otherwise other spellings of a path would escape its limits. */
export function createRouter(): Router<HttpState> {
  return new Router<HttpState>({ sensitive: true, strict: true });
}

export function operationRouter(operations: readonly AnyOperation[], parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](toRoutePath(operation.path), (ctx) => handle(operation, parts, ctx as HttpContext, ctx.params));
  }
  return router;
}

const REGISTRATION_CLOSED: RegistrationPolicy = { isRegistrationOpen: false };

/** `/tenants/{tenant_id}` → `/api/v1/tenants/:tenant_id`. */
function toRoutePath(path: string): string {
  return API_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function handle(
  operation: AnyOperation,
  parts: RouterParts,
  ctx: HttpContext,
  pathValues: Record<string, string>,
): Promise<void> {
  const { services, config } = parts;
  ctx.state.route = operation.id;
  const known = operation.access.kind === 'public' ? GUEST : await parts.authenticate(ctx);
  const registration =
    operation.access.kind === 'registration'
      ? await registrationPolicyOf(config, services.tenants)
      : REGISTRATION_CLOSED;
  await authorize(services, operation.access, known, pathValues.tenant_id ?? null, registration);
  const isFirstRun = registration.isForFirstTenantOnly && !known.isOperator;
  const caller: Caller = isFirstRun ? { ...known, isFirstRun } : known;
  if (needsStorage(operation)) services.storage.assertWritable();
  const params = decodeParams(operation, pathValues);
  const query = decodeQuery(operation.query, ctx.querystring);
  const holder = caller.tenantId ?? parts.proxies.clientOf(ctx.req);
  const callerContext = { caller, requestId: ctx.state.requestId, signal: disconnectSignal(ctx.res) };
  const answer = await withSentBody(operation, parts, ctx, holder, (sent, unparsed) => {
    if (unparsed !== null) return runUnparsed(operation, parts, ctx, { ...query, ...params }, unparsed, callerContext);
    const body = operation.body ? checkBody(operation.body, sent) : {};
    // The path comes last: no member of a body may override the tenant that was checked.
    const input = { ...(body as object), ...query, ...params };
    return runOnce(services, operation, ctx, { caller, body: sent }, () => run(operation, parts, input, callerContext));
  });
  if (answer.status === 204) ctx.status = 204;
  else respondWith(ctx, answer.status, 'application/json', answer.body);
}

function decodeParams(operation: AnyOperation, values: Record<string, string>): object {
  const parsed = operation.params?.safeParse(values);
  if (parsed?.error) throw new AppError('not_found', 'No route matches this path.');
  return (parsed?.data as object | undefined) ?? {};
}

function withSentBody<Result>(
  operation: AnyOperation,
  { bodies, config }: RouterParts,
  ctx: HttpContext,
  holder: string,
  use: (sent: Json, unparsed: Buffer | null) => Promise<Result>,
): Promise<Result> {
  if (!operation.body) return use({}, null);
  const limit = bodyLimitOf(operation);
  return bodies.withBody(ctx.req, holder, toBodyLimits(limit, config), (body) => {
    if (body.length > 0 && !isJsonType(mediaTypeOf(ctx.headers['content-type']))) rejectMediaType('application/json');
    const isUnparsed = operation.runUnparsed !== undefined && !isQuicklyParsed(body);
    return isUnparsed ? use(null, body) : use(parseBody(body, limit), null);
  });
}

/** This much is parsed, checked and hashed in a few milliseconds. */
const MAX_INLINE = { bytes: 192 * 1024, nodes: 4_000 };

function isQuicklyParsed(body: Buffer): boolean {
  return body.length <= MAX_INLINE.bytes && isJsonWithin(body, MAX_INLINE.nodes);
}

/** An `Idempotency-Key` then belongs to the bytes, not to the parsed value. */
function runUnparsed(
  operation: AnyOperation,
  parts: RouterParts,
  ctx: HttpContext,
  input: object,
  body: Buffer,
  callerContext: CallerContext,
): Promise<IdempotentResponse> {
  const bodyHash = ctx.get('Idempotency-Key') === '' ? '' : createHash('sha256').update(body).digest('hex');
  const request = { caller: callerContext.caller, bodyHash, sealingCredential: null };
  const unparsed = { ...operation, run: (services: Services) => operation.runUnparsed?.(services, input, body) };
  return runOnceByHash(parts.services, ctx, request, () => run(unparsed as AnyOperation, parts, input, callerContext));
}

async function run(
  operation: AnyOperation,
  parts: RouterParts,
  input: object,
  callerContext: CallerContext,
): Promise<IdempotentResponse> {
  const output = await runOperation(parts.services, operation, input, callerContext);
  if (output instanceof JsonText && !parts.config.validatesOutput) return { status: operation.status, body: output };
  const body = operation.status === 204 ? '' : await textOf(output);
  if (parts.config.validatesOutput && operation.status !== 204) checkOutput(operation, JSON.parse(body));
  return { status: operation.status, body };
}

function textOf(output: unknown): string | Promise<string> {
  return output instanceof JsonText ? output.text() : JSON.stringify(output);
}

/** Also fails for members that the schema does not name: users would receive them undocumented. */
function checkOutput(operation: AnyOperation, sent: unknown): void {
  const parsed = operation.output.safeParse(sent);
  if (parsed.success && isDeepStrictEqual(parsed.data, sent)) return;
  throw new Error(
    `the response of ${operation.id} does not match its schema: ${parsed.error?.message ?? 'unknown members'}`,
  );
}
