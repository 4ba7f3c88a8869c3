import { AppError } from '../core/app-error.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';
import type { ProxyTrust } from './peer-address.ts';

/** Refuses pages of other sites, unless CORS names them. Requests without `Origin` come from no page. */
export function originGuard(config: Pick<HttpConfig, 'corsOrigins'>, proxies: ProxyTrust): HttpMiddleware {
  const allowed = new Set(config.corsOrigins);
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin === '' || allowed.has(origin) || isOwn(origin, proxies.hostOf(ctx.req))) return next();
    throw new AppError('origin_not_allowed', 'Pages of this origin may not call the server; name it as a CORS origin.');
  };
}

/** Compared without the scheme: a proxy may have taken the TLS off. */
export function isOwn(origin: string, host: string): boolean {
  const parsed = URL.parse(origin);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return false;
  return parsed.host === URL.parse(`${parsed.protocol}//${host}`)?.host;
}
