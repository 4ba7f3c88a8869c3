import { hash } from 'node:crypto';
import type { Caller } from '../features/_kit/caller.ts';
import type { Services } from '../features/services.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpContext } from './http-context.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** The session of a request's cookie; null for a request without a cookie, or with one that has expired. */
export type FindSession = (ctx: HttpContext) => Promise<Caller | null>;

export function createFindSession(
  { sessions }: Pick<Services, 'sessions'>,
  config: Pick<HttpConfig, 'operatorToken'>,
): FindSession {
  const operatorHash = operatorHashOf(config);
  return async (ctx) => {
    const token = sessionTokenOf(ctx);
    return token === null ? null : sessions.authenticate(token, operatorHash);
  };
}

/** SHA-256 of the operator's credential, hex: an operator session stays valid as long as the credential is unchanged. */
export function operatorHashOf({ operatorToken }: Pick<HttpConfig, 'operatorToken'>): string | null {
  return operatorToken ? hash('sha256', operatorToken, 'hex') : null;
}
