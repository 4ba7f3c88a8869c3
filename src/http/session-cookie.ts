import { MAX_MS } from '../features/identity/session-lifetime.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpContext } from './http-context.ts';

type CookieConfig = Pick<HttpConfig, 'publicUrl'>;

/** Browsers send cookies to every port of a host: the port in the name separates servers on one host. */
function cookieName(ctx: HttpContext): string {
  return `misstep_session_${ctx.req.socket.localPort}`;
}

/** Null if the request has none. */
export function sessionTokenOf(ctx: HttpContext): string | null {
  return ctx.cookies.get(cookieName(ctx)) || null;
}

export function setSessionCookie(ctx: HttpContext, config: CookieConfig, token: string): void {
  writeCookie(ctx, config, token, MAX_MS);
}

export function clearSessionCookie(ctx: HttpContext, config: CookieConfig): void {
  writeCookie(ctx, config, '', 0);
}

function writeCookie(ctx: HttpContext, { publicUrl }: CookieConfig, value: string, maxAge: number): void {
  const isSecure = publicUrl?.origin.startsWith('https:') ?? false;
  // The proxy terminates TLS: the connection that arrives here is not encrypted.
  ctx.cookies.secure = isSecure;
  ctx.cookies.set(cookieName(ctx), value, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    path: publicUrl?.basePath || '/',
    maxAge,
    overwrite: true,
  });
}
