import type { IncomingMessage } from 'node:http';
import { AppError } from '../core/app-error.ts';
import { hostNameOf, toHostName } from './host-name.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';
import { isLoopbackName } from './loopback.ts';
import { hostOfPublicUrl } from './public-url.ts';

/** Load balancers and supervisors probe by address or by any name; the responses of these paths are public. */
const PROBE_PATHS: readonly string[] = ['/livez', '/readyz', '/health', '/api/v1/health'];

/** Decides whether the server responds under a name in the form of `hostNameOf`. */
export type IsKnownHost = (name: string) => boolean;

export type HostConfig = Pick<HttpConfig, 'host' | 'allowedHosts' | 'publicUrl'>;

export function knownHosts({ host, allowedHosts, publicUrl }: HostConfig): IsKnownHost {
  // A listener on all addresses has no name: browsers resolve 0.0.0.0 to this machine, so a page could use it.
  const own = ANY_ADDRESS.has(host) ? [] : [host];
  const known = new Set([...own, ...allowedHosts, ...(publicUrl ? [hostOfPublicUrl(publicUrl)] : [])].map(toHostName));
  return (name) => isLoopbackName(name) || known.has(name);
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/**
 * Rejects requests for other names: a page whose name resolves to this machine (DNS rebinding) would otherwise have the
 * server's own origin.
 */
export function hostGuard(config: HostConfig): HttpMiddleware {
  const isKnown = knownHosts(config);
  return (ctx, next) => {
    const name = hostNameOf(requestedHost(ctx.req));
    if (PROBE_PATHS.includes(ctx.path) || (name !== null && isKnown(name))) return next();
    throw new AppError(
      'host_not_allowed',
      'The server does not respond under this host name; add it to the allowed hosts.',
    );
  };
}

/**
 * The host of a request, from `Host` or from an absolute URL as request target (RFC 9112, 3.2).
 * @throws AppError `malformed` for several hosts, none in HTTP/1.1, or two that differ
 */
function requestedHost(request: IncomingMessage): string {
  const [host, ...others] = request.headersDistinct.host ?? [];
  if (others.length > 0) throw new AppError('malformed', 'The request has more than one Host header.');
  if (host === undefined && request.httpVersion !== '1.0')
    throw new AppError('malformed', 'The request has no Host header.');
  const authority = authorityOf(request.url ?? '/');
  if (authority === null) return host ?? '';
  if (host !== undefined && host.toLowerCase() !== authority.toLowerCase())
    throw new AppError('malformed', 'The Host header differs from the host in the request target.');
  return authority;
}

/** Host and port of a request target that is a URL; null if it is a path. @throws AppError `malformed` */
function authorityOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return null;
  const [, authority] = ABSOLUTE_TARGET.exec(target) ?? [];
  if (authority === undefined)
    throw new AppError('malformed', 'The request target is neither a path nor an http(s) URL without a password.');
  return authority;
}

const ABSOLUTE_TARGET = /^https?:\/\/([^/?#@\\]{1,300})(?:[/?#]|$)/i;
