import type Router from '@koa/router';
import { AppError } from '../core/app-error.ts';
import type { HttpMiddleware, HttpState } from './http-context.ts';
import { respondMethodNotAllowed } from './method-not-allowed.ts';
import { vendorPathHint } from './vendor-paths.ts';

/** Requests that no route matched: another method of a known path, a path of another vendor's clients, or an unknown path. */
export function unmatchedRoute(routers: readonly Router<HttpState>[]): HttpMiddleware {
  return (ctx) => {
    const methods = routers.flatMap((router) =>
      router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods),
    );
    if (methods.length > 0) return respondMethodNotAllowed(ctx, methods);
    const hint = vendorPathHint(ctx.path);
    if (hint !== null) throw new AppError('not_found', hint);
    throw new AppError('route_not_found', 'No route matches this path.');
  };
}
