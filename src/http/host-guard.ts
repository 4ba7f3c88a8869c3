import { isIPv6 } from 'node:net';
import { AppError } from '../core/app-error.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';
import { isLoopbackName } from './loopback.ts';

const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::\d{1,5})?$/i;

/** The name in a `Host` header in lower case, without port and final dot; null where it is none. */
export function hostNameOf(header: string): string | null {
  const name = HOST.exec(header)?.[1]?.toLowerCase();
  return name?.replace(/\.$/, '') || null;
}

/**
 * Refuses requests for names the server was not told of: a page whose name was re-pointed to this machine (DNS
 * rebinding) would otherwise pass for one of our own.
 */
export function hostGuard(config: Pick<HttpConfig, 'host' | 'allowedHosts'>): HttpMiddleware {
  // Listening everywhere is no name: browsers take 0.0.0.0 for this machine, which is how pages would get here.
  const own = ANY_ADDRESS.has(config.host) ? [] : [config.host];
  const known = new Set([...own, ...config.allowedHosts].map(normalise));
  return (ctx, next) => {
    const name = hostNameOf(ctx.get('Host'));
    if (name === null || !(isLoopbackName(name) || known.has(name))) {
      throw new AppError(
        'host_not_allowed',
        'The server does not answer under this host name; add it to the allowed hosts.',
      );
    }
    return next();
  };
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

function normalise(host: string): string {
  const bracketed = isIPv6(host) ? `[${host}]` : host;
  return hostNameOf(bracketed) ?? bracketed.toLowerCase();
}
