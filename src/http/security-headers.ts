import helmet from 'koa-helmet';
import type { HttpMiddleware } from './http-context.ts';

/** Answers are data: no page may frame, sniff, script or keep them. */
export function securityHeaders(): HttpMiddleware {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    frameguard: { action: 'deny' },
    // Whether TLS is used is for the proxy to say, and it binds the whole domain.
    hsts: false,
  });
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return setHeaders(ctx, next);
  };
}
