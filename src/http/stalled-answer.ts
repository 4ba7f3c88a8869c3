import { dropRest } from './body-arrival.ts';
import type { HttpMiddleware } from './http-context.ts';

/** After `stalledAnswerMs` a large answer must be read this fast on average. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/**
 * Cuts off a client that asks and does not read, because its answer is held in memory until then. Stands outermost: Koa sends
 * once all middlewares are done. While bytes leave, however slowly, Node's own timer starts anew.
 */
export function stalledAnswerMiddleware(stalledAnswerMs: number): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    // A body that nobody read, such as that of a caller without credential.
    dropRest(ctx.req);
    const { socket } = ctx.req;
    socket.setTimeout(stalledAnswerMs);
    const bytes = sizeOf(ctx.body);
    if (bytes === 0) return;
    const timer = setTimeout(() => socket.destroy(), stalledAnswerMs + (bytes / MIN_BYTES_PER_SECOND) * 1000);
    timer.unref();
    ctx.res.once('close', () => clearTimeout(timer));
  };
}

/** Of a body that is held whole. */
function sizeOf(body: unknown): number {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0;
}
