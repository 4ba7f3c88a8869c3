import { createHash } from 'node:crypto';
import { AppError } from '../core/app-error.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { JsonText } from '../core/json-text.ts';
import type { Caller } from '../features/_kit/caller.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import type { StoredResponse } from '../features/identity/idempotency.service.ts';
import { SECRET_MARK } from '../features/identity/secret-text.ts';
import type { Services } from '../features/services.ts';
import { credentialOf } from './authenticate.ts';
import type { HttpContext } from './http-context.ts';
import { toJsonSchema } from './json-schema.ts';
import { sessionTokenOf } from './session-cookie.ts';

export type IdempotentResponse = { status: number; body: string | JsonText };

const KEY = /^[\x21-\x7e]{1,255}$/;
const OPERATOR_TENANT_NO = 0;

/** Whether the operation's response contains a secret; it is then stored encrypted only. */
export function returnsSecret(operation: AnyOperation): boolean {
  return JSON.stringify(toJsonSchema(operation.output, 'output')).includes(`"${SECRET_MARK}":true`);
}

/**
 * Runs a POST at most once per `Idempotency-Key` of a tenant. Guests have no key space of their own, and sharing one
 * would show them each other's responses, so the header has no effect for them.
 */
export async function runOnce(
  services: Pick<Services, 'idempotency' | 'tenants'>,
  operation: AnyOperation,
  ctx: HttpContext,
  request: { caller: Caller; body: Json },
  run: () => Promise<IdempotentResponse>,
): Promise<IdempotentResponse> {
  if (operation.method !== 'POST' || ctx.get('Idempotency-Key') === '') return run();
  const bodyHash = createHash('sha256').update(canonicalJson(request.body)).digest('hex');
  const sealingCredential = returnsSecret(operation) ? (credentialOf(ctx.headers) ?? sessionTokenOf(ctx)) : null;
  return runOnceByHash(services, ctx, { caller: request.caller, bodyHash, sealingCredential }, run);
}

/** The same for a body of which only the hash is known. */
export async function runOnceByHash<Body extends IdempotentResponse['body']>(
  services: Pick<Services, 'idempotency' | 'tenants'>,
  ctx: HttpContext,
  request: { caller: Caller; bodyHash: string; sealingCredential: string | null },
  run: () => Promise<{ status: number; body: Body }>,
): Promise<{ status: number; body: Body | string }> {
  const key = ctx.get('Idempotency-Key');
  const tenantNo = await keySpaceOf(services, request.caller);
  if (key === '' || tenantNo === null) return run();
  if (!KEY.test(key)) throw new AppError('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const answer: StoredResponse = await services.idempotency.once(
    {
      tenantNo,
      key,
      requestHash: hashRequest(ctx.url, request.bodyHash),
      sealingCredential: request.sealingCredential,
    },
    async () => {
      const { status, body } = await run();
      return { status, body: typeof body === 'string' ? body : await body.text() };
    },
  );
  if (answer.isReplay) ctx.set('Idempotent-Replayed', 'true');
  return answer;
}

async function keySpaceOf(services: Pick<Services, 'tenants'>, caller: Caller): Promise<number | null> {
  if (caller.tenantId !== null) return services.tenants.resolve(caller.tenantId);
  return caller.isOperator ? OPERATOR_TENANT_NO : null;
}

function hashRequest(url: string, bodyHash: string): string {
  return createHash('sha256').update(url).update('\n').update(bodyHash).digest('hex');
}
