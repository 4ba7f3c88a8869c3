import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { JsonText } from '../core/json-text.ts';
import type { HttpContext } from './http-context.ts';

/** Sets a body under exactly this type; Koa would add a charset, which JSON has no place for. */
export function answerWith(
  ctx: HttpContext,
  status: number,
  contentType: string,
  body: string | Buffer | JsonText,
): void {
  ctx.status = status;
  ctx.set('Content-Type', contentType);
  ctx.body = body instanceof JsonText ? Readable.from(body, { objectMode: false }) : body;
}

/** Aborts when the connection closes before the answer is complete. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client has gone'));
  });
  return gone.signal;
}

export function answerJson(ctx: HttpContext, status: number, value: unknown): void {
  answerWith(ctx, status, 'application/json', JSON.stringify(value));
}
