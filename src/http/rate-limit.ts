import { AppError } from '../core/app-error.ts';
import type { FindSession } from './find-session.ts';
import type { HttpConfig, RateLimit } from './http-config.ts';
import type { HttpContext, HttpDependencies, HttpMiddleware } from './http-context.ts';
import type { ProxyTrust } from './peer-address.ts';
import { TokenBuckets } from './token-bucket.ts';

const EXEMPT_PATHS = new Set(['/', '/health', '/api/v1/health']);
const AUTH_PREFIX = '/api/v1/auth/';
const SESSION_PATH = '/api/v1/auth/session';

/**
 * Counts requests of a signed-in browser by session, others by client address: an exporter on the same machine does not
 * use up the browser's limit. Requests to the auth endpoints are also counted by address with a lower limit.
 */
export function rateLimitMiddleware(
  { rateLimits }: Pick<HttpConfig, 'rateLimits'>,
  proxies: ProxyTrust,
  findSession: FindSession,
  { clock }: Pick<HttpDependencies, 'clock'>,
): HttpMiddleware {
  if (rateLimits === null) return (_ctx, next) => next();
  const limitGlobal = createLimiter('global', rateLimits.global);
  const limitAuth = createLimiter('auth', rateLimits.auth);
  const limitSession = createLimiter('session', rateLimits.session);
  return async (ctx, next) => {
    if (ctx.method === 'OPTIONS' || EXEMPT_PATHS.has(ctx.path)) return next();
    const client = proxies.clientOf(ctx.req);
    const sessionId = await sessionIdOf(ctx, findSession);
    if (sessionId === null) limitGlobal(ctx, client, clock.now());
    else limitSession(ctx, sessionId, clock.now());
    if (isGuessable(ctx)) limitAuth(ctx, client, clock.now());
    return next();
  };
}

/** Null for requests without a cookie, or with an invalid one. */
async function sessionIdOf(ctx: HttpContext, findSession: FindSession): Promise<string | null> {
  // A store that cannot be read is reported by the request itself.
  const caller = await findSession(ctx).catch(() => null);
  return caller?.sessionId ?? null;
}

/** Every opened page reads its session, and signing out needs no credential that can be guessed. */
function isGuessable({ path, method }: HttpContext): boolean {
  return path.startsWith(AUTH_PREFIX) && !(path === SESSION_PATH && method !== 'POST');
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers-10; the stricter policy, checked last, is the one sent. */
function createLimiter(name: string, limit: RateLimit): (ctx: HttpContext, client: string, now: number) => void {
  const buckets = new TokenBuckets(limit);
  const policy = `"${name}";q=${limit.requests};w=${limit.windowSeconds}`;
  return (ctx, client, now) => {
    const result = buckets.take(client, now);
    ctx.set('RateLimit-Policy', policy);
    ctx.set('RateLimit', `"${name}";r=${result.remaining};t=${result.resetSeconds}`);
    if (result.isAllowed) return;
    throw new AppError('rate_limited', `More than ${limit.requests} requests in ${limit.windowSeconds} seconds.`, {
      retryAfterSeconds: result.retryAfterSeconds,
    });
  };
}
