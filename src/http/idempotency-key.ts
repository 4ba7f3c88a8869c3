import { createHash } from 'node:crypto';
import { AppError } from '../core/app-error.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { JsonText } from '../core/json-text.ts';
import type { Caller } from '../features/_kit/caller.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import type { IdempotentAnswer } from '../features/identity/idempotency.service.ts';
import { SECRET_MARK } from '../features/identity/secret-text.ts';
import type { Services } from '../features/services.ts';
import { credentialOf } from './authenticate.ts';
import type { HttpContext } from './http-context.ts';
import { toJsonSchema } from './json-schema.ts';
import { sessionTokenOf } from './session-cookie.ts';

export type Answer = { status: number; body: string | JsonText };

const KEY = /^[\x21-\x7e]{1,255}$/;
const OPERATOR_TENANT_NO = 0;

/** Whether an answer of the operation shows a secret, which is then kept only sealed. */
export function answersSecret(operation: AnyOperation): boolean {
  return JSON.stringify(toJsonSchema(operation.output, 'output')).includes(`"${SECRET_MARK}":true`);
}

/**
 * Runs a POST at most once for each `Idempotency-Key` of a tenant. Guests have no key space of their own, and sharing one
 * would show them each other's answers, so for them the header does nothing.
 */
export async function runOnce(
  services: Pick<Services, 'idempotency' | 'tenants'>,
  operation: AnyOperation,
  ctx: HttpContext,
  request: { caller: Caller; body: Json },
  run: () => Promise<Answer>,
): Promise<Answer> {
  if (operation.method !== 'POST' || ctx.get('Idempotency-Key') === '') return run();
  const bodyHash = createHash('sha256').update(canonicalJson(request.body)).digest('hex');
  const sealingCredential = answersSecret(operation) ? (credentialOf(ctx.headers) ?? sessionTokenOf(ctx)) : null;
  return runOnceBy(services, ctx, { caller: request.caller, bodyHash, sealingCredential }, run);
}

/** The same for a body that only its hash is known of. */
export async function runOnceBy<Body extends Answer['body']>(
  services: Pick<Services, 'idempotency' | 'tenants'>,
  ctx: HttpContext,
  request: { caller: Caller; bodyHash: string; sealingCredential: string | null },
  run: () => Promise<{ status: number; body: Body }>,
): Promise<{ status: number; body: Body | string }> {
  const key = ctx.get('Idempotency-Key');
  const tenantNo = await keySpaceOf(services, request.caller);
  if (key === '' || tenantNo === null) return run();
  if (!KEY.test(key)) throw new AppError('malformed', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const answer: IdempotentAnswer = await services.idempotency.once(
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
