import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { JsonText } from '../core/json-text.ts';
import type { HttpContext } from './http-context.ts';

/** Sets a body with exactly this content type; Koa would add a charset, which JSON does not define. */
export function respondWith(
  ctx: HttpContext,
  status: number,
  contentType: string,
  body: string | Buffer | JsonText,
): void {
  ctx.status = status;
  ctx.set('Content-Type', contentType);
  ctx.body = body instanceof JsonText ? Readable.from(body, { objectMode: false }) : body;
}

/** Aborts when the connection closes before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort(new Error('the client disconnected'));
  });
  return disconnected.signal;
}

export function respondJson(ctx: HttpContext, status: number, value: unknown): void {
  respondWith(ctx, status, 'application/json', JSON.stringify(value));
}
