import type { HttpContext } from './http-context.ts';

/** Sets a finished body under exactly this type; Koa would add a charset, which JSON has no place for. */
export function answerWith(ctx: HttpContext, status: number, contentType: string, body: string | Buffer): void {
  ctx.status = status;
  ctx.set('Content-Type', contentType);
  ctx.body = body;
}

export function answerJson(ctx: HttpContext, status: number, value: unknown): void {
  answerWith(ctx, status, 'application/json', JSON.stringify(value));
}
