import cors from '@koa/cors';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';

/** Responds to preflights of the allowed origins and sets their CORS headers; other origins are rejected earlier. */
export function corsMiddleware({ corsOrigins }: Pick<HttpConfig, 'corsOrigins'>): HttpMiddleware {
  if (corsOrigins.length === 0) return (_ctx, next) => next();
  const allowed = new Set(corsOrigins);
  return cors({
    origin: (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: 'GET,POST,PUT,DELETE,OPTIONS',
    allowHeaders: 'Authorization,Content-Type,Accept,X-SVC-API-Key,X-SVC-Signature,X-SVC-Timestamp,X-SVC-Nonce',
    credentials: true,
    maxAge: 3600,
  });
}
