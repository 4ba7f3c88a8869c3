import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../core/app-error.ts';
import { type Caller, SCOPES } from '../features/_kit/operation.ts';
import { API_KEY_PREFIX } from '../features/identity/api-key.ts';
import type { Services } from '../features/services.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpContext } from './http-context.ts';

/** @param readCredential where a vendor's clients send the key; the project's own headers where left out */
export type Authenticate = (
  ctx: HttpContext,
  readCredential?: (headers: IncomingHttpHeaders) => string | null,
) => Promise<Caller>;

export const GUEST: Caller = { tenantId: null, keyId: null, scopes: [], isOperator: false };
const OPERATOR: Caller = { tenantId: null, keyId: null, scopes: SCOPES, isOperator: true };

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The credential a request carries, an API key first; null where it has none, `''` where it is of an unknown kind. */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  const apiKey = headers['x-svc-api-key'];
  if (typeof apiKey === 'string') return apiKey.trim();
  if (headers.authorization === undefined) return null;
  return BEARER.exec(headers.authorization)?.[1] ?? '';
}

/**
 * Finds out who asks: a guest without credential, the operator, or a tenant by API key or access token.
 * The returned function throws AppError `unauthenticated` for a credential that does not hold.
 */
export function createAuthenticate(
  services: Pick<Services, 'apiKeys' | 'tokens'>,
  { operatorToken }: Pick<HttpConfig, 'operatorToken'>,
): Authenticate {
  const operatorHash = operatorToken ? hash('sha256', operatorToken, 'buffer') : null;
  const isOperator = (credential: string) =>
    operatorHash !== null && timingSafeEqual(operatorHash, hash('sha256', credential, 'buffer'));

  async function callerOf(credential: string): Promise<Caller | null> {
    if (credential.startsWith(API_KEY_PREFIX)) return services.apiKeys.authenticate(credential);
    if (isOperator(credential)) return OPERATOR;
    return services.tokens.verify(credential);
  }

  return async (ctx, readCredential = credentialOf) => {
    const credential = readCredential(ctx.headers);
    if (credential === null) return GUEST;
    const caller = credential === '' ? null : await callerOf(credential);
    if (caller === null) {
      ctx.set('WWW-Authenticate', 'Bearer realm="misstep", error="invalid_token"');
      throw new AppError('unauthenticated', 'The credential is unknown, revoked or past its time.');
    }
    ctx.state.caller = caller;
    return caller;
  };
}
