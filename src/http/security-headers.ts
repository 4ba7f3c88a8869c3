import helmet from 'koa-helmet';
import type { HttpMiddleware } from './http-context.ts';

/** Responses are data: no page may frame, sniff, script or cache them. */
export function securityHeaders(): HttpMiddleware {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    frameguard: { action: 'deny' },
    // HSTS is left to the proxy: it terminates TLS, and the header affects the whole domain.
    hsts: false,
  });
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    return setHeaders(ctx, next);
  };
}
