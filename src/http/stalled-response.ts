import { drainBody } from './body-speed.ts';
import type { HttpMiddleware } from './http-context.ts';

/** After `stalledResponseMs` a large response must be read at this average rate. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/**
 * Disconnects a client that does not read its response, because the response is in memory until then. Must be the outermost
 * middleware: Koa sends once all middlewares are done. While bytes are sent, however slowly, Node's own timer restarts.
 */
export function stalledResponseMiddleware(stalledResponseMs: number): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    // A body that was not read, such as that of a caller without credential.
    drainBody(ctx.req);
    const { socket } = ctx.req;
    socket.setTimeout(stalledResponseMs);
    const bytes = sizeOf(ctx.body);
    if (bytes === 0) return;
    const timer = setTimeout(() => socket.destroy(), stalledResponseMs + (bytes / MIN_BYTES_PER_SECOND) * 1000);
    timer.unref();
    ctx.res.once('close', () => clearTimeout(timer));
  };
}

/** Applies to a body that is buffered whole. */
function sizeOf(body: unknown): number {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0;
}
