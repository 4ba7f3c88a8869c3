import { randomUUID } from 'node:crypto';
import type { HttpMiddleware } from './http-context.ts';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Uses the caller's `X-Request-Id` if it is safe to log, otherwise generates one; it is always returned. */
export const requestIdMiddleware: HttpMiddleware = (ctx, next) => {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = ACCEPTABLE.test(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  return next();
};
