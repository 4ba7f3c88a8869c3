import { AppError } from '../core/app-error.ts';
import type { HttpConfig, RateLimit } from './http-config.ts';
import type { HttpContext, HttpDependencies, HttpMiddleware } from './http-context.ts';
import type { ProxyTrust } from './peer-address.ts';
import { TokenBuckets } from './token-bucket.ts';

const EXEMPT_PATHS = new Set(['/', '/health', '/api/v1/health']);
const AUTH_PREFIX = '/api/v1/auth/';

/** Counts requests by client, and those to the auth endpoints once more and more strictly. */
export function rateLimitMiddleware(
  { rateLimits }: Pick<HttpConfig, 'rateLimits'>,
  proxies: ProxyTrust,
  { clock }: Pick<HttpDependencies, 'clock'>,
): HttpMiddleware {
  if (rateLimits === null) return (_ctx, next) => next();
  const takeGlobal = createTaker('global', rateLimits.global);
  const takeAuth = createTaker('auth', rateLimits.auth);
  return (ctx, next) => {
    if (ctx.method === 'OPTIONS' || EXEMPT_PATHS.has(ctx.path)) return next();
    const client = proxies.clientOf(ctx.req);
    takeGlobal(ctx, client, clock.now());
    if (ctx.path.startsWith(AUTH_PREFIX)) takeAuth(ctx, client, clock.now());
    return next();
  };
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers-10; the stricter policy, asked last, is the one shown. */
function createTaker(name: string, limit: RateLimit): (ctx: HttpContext, client: string, now: number) => void {
  const buckets = new TokenBuckets(limit);
  const policy = `"${name}";q=${limit.requests};w=${limit.windowSeconds}`;
  return (ctx, client, now) => {
    const taking = buckets.take(client, now);
    ctx.set('RateLimit-Policy', policy);
    ctx.set('RateLimit', `"${name}";r=${taking.remaining};t=${taking.resetSeconds}`);
    if (taking.isAllowed) return;
    throw new AppError('rate_limited', `More than ${limit.requests} requests in ${limit.windowSeconds} seconds.`, {
      retryAfterSeconds: taking.retryAfterSeconds,
    });
  };
}
