import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';

/** Removes the path of the public URL from requests, whether or not the proxy has already removed it. */
export function withoutBasePath({ publicUrl }: Pick<HttpConfig, 'publicUrl'>): HttpMiddleware {
  const basePath = publicUrl?.basePath ?? '';
  if (basePath === '') return (_ctx, next) => next();
  return (ctx, next) => {
    if (ctx.path === basePath) ctx.path = '/';
    else if (ctx.path.startsWith(`${basePath}/`)) ctx.path = ctx.path.slice(basePath.length);
    return next();
  };
}
