import type Router from '@koa/router';
import { AppError } from '../core/app-error.ts';
import type { HttpMiddleware, HttpState } from './http-context.ts';
import { answerOtherMethod } from './method-not-allowed.ts';
import { vendorRefusal } from './vendor-paths.ts';

/** What no route took: a known path under another method, a path of another vendor's clients, or an unknown path. */
export function unrouted(routers: readonly Router<HttpState>[]): HttpMiddleware {
  return (ctx) => {
    const methods = routers.flatMap((router) =>
      router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods),
    );
    if (methods.length > 0) return answerOtherMethod(ctx, methods);
    const refusal = vendorRefusal(ctx.path);
    if (refusal !== null) throw new AppError('not_found', refusal);
    throw new AppError('route_not_found', 'There is nothing under this path.');
  };
}
