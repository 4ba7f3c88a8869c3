import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../core/app-error.ts';
import { type Caller, SCOPES } from '../features/_kit/caller.ts';
import { API_KEY_PREFIX } from '../features/identity/api-key.ts';
import type { Services } from '../features/services.ts';
import type { FindSession } from './find-session.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpContext } from './http-context.ts';
import { SAFE_METHODS } from './origin-guard.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** @param readCredential reads the key where a vendor's clients send it; if omitted, Misstep's headers and its session cookie */
export type Authenticate = (
  ctx: HttpContext,
  readCredential?: (headers: IncomingHttpHeaders) => string | null,
) => Promise<Caller>;

export const GUEST: Caller = { tenantId: null, keyId: null, scopes: [], isOperator: false };
const OPERATOR: Caller = { tenantId: null, keyId: null, scopes: SCOPES, isOperator: true };

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The credential in the headers, an API key first; null for a request without one, `''` for one of an unknown kind. */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  const apiKey = headers['x-svc-api-key'];
  if (typeof apiKey === 'string') return apiKey.trim();
  if (headers.authorization === undefined) return null;
  return BEARER.exec(headers.authorization)?.[1] ?? '';
}

/**
 * Authenticates the caller: a guest without credential, the operator, or a tenant by API key, access token or session cookie.
 * The returned function throws AppError `unauthenticated` for an invalid credential, and `origin_not_allowed` for
 * a cookie on an unsafe method without the server's own `Origin`.
 */
export function createAuthenticate(
  services: Pick<Services, 'apiKeys' | 'tokens' | 'sessions'>,
  { operatorToken }: Pick<HttpConfig, 'operatorToken'>,
  findSession: FindSession,
): Authenticate {
  const operatorHash = operatorToken ? hash('sha256', operatorToken, 'buffer') : null;
  const isOperator = (credential: string) =>
    operatorHash !== null && timingSafeEqual(operatorHash, hash('sha256', credential, 'buffer'));

  async function callerOf(credential: string): Promise<Caller | null> {
    if (credential.startsWith(API_KEY_PREFIX)) return services.apiKeys.authenticate(credential);
    if (isOperator(credential)) return OPERATOR;
    return services.tokens.verify(credential);
  }

  async function bySession(ctx: HttpContext): Promise<Caller | null> {
    const caller = await findSession(ctx);
    if (caller !== null && !SAFE_METHODS.includes(ctx.method) && !ctx.state.isOwnOrigin)
      throw new AppError('origin_not_allowed', 'A request with a session cookie needs the Origin of this server.');
    // An open stream re-checks its session periodically, which does not count as activity.
    if (caller?.sessionId !== undefined && ctx.state.caller === undefined) services.sessions.recordUse(caller);
    return caller;
  }

  async function findCaller(ctx: HttpContext, credential: string | null): Promise<Caller | null> {
    if (credential === null) return bySession(ctx);
    return credential === '' ? null : callerOf(credential);
  }

  return async (ctx, readCredential) => {
    const credential = (readCredential ?? credentialOf)(ctx.headers);
    const hasCookie = readCredential === undefined && sessionTokenOf(ctx) !== null;
    if (credential === null && !hasCookie) return GUEST;
    const caller = await findCaller(ctx, credential);
    if (caller === null) {
      ctx.set('WWW-Authenticate', 'Bearer realm="misstep", error="invalid_token"');
      throw new AppError('unauthenticated', 'The credential is unknown, revoked or expired.');
    }
    ctx.state.caller = caller;
    return caller;
  };
}
