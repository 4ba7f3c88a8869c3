import { AppError } from '../core/app-error.ts';
import { type HostConfig, type IsKnownHost, knownHosts } from './host-guard.ts';
import { hostNameOf } from './host-name.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';
import type { ProxyTrust } from './peer-address.ts';

export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Other ports and subdomains of the same site are other origins. */
const OTHER_SITES: readonly string[] = ['cross-site', 'same-site'];

/**
 * Rejects pages of other origins, unless CORS allows them. A request without `Origin` does not come from a page, unless
 * `Sec-Fetch-Site`, which only browsers set, indicates one.
 */
export function originGuard(config: HostConfig & Pick<HttpConfig, 'corsOrigins'>, proxies: ProxyTrust): HttpMiddleware {
  const allowed = new Set(config.corsOrigins);
  const isKnown = knownHosts(config);
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    ctx.state.isOwnOrigin =
      origin !== '' && (origin === config.publicUrl?.origin || isOwn(origin, proxies.hostOf(ctx.req), isKnown));
    const isAllowed =
      origin === ''
        ? SAFE_METHODS.includes(ctx.method) || !OTHER_SITES.includes(ctx.get('Sec-Fetch-Site'))
        : allowed.has(origin) || ctx.state.isOwnOrigin;
    if (isAllowed) return next();
    throw new AppError('origin_not_allowed', 'This origin is not allowed; allow it with --cors-origin.');
  };
}

/** Compared without the scheme: a proxy may have terminated TLS. */
function isOwn(origin: string, host: string, isKnown: IsKnownHost): boolean {
  const [, scheme, authority] = ORIGIN.exec(origin) ?? [];
  if (scheme === undefined || authority === undefined) return false;
  const name = hostNameOf(host);
  if (name === null || !isKnown(name) || hostNameOf(authority) === null) return false;
  return URL.parse(origin)?.host === URL.parse(`${scheme}://${host}`)?.host;
}

const ORIGIN = /^(https?):\/\/([^/]+)$/i;
