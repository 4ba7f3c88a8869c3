import { AppError } from '../core/app-error.ts';
import type { HttpContext } from './http-context.ts';

/** Responds to an unsupported method of a known path: OPTIONS gets the allowed methods, the rest get 405. */
export function respondMethodNotAllowed(ctx: HttpContext, methods: readonly string[]): void {
  ctx.set('Allow', [...new Set([...methods, 'OPTIONS'])].join(', '));
  if (ctx.method !== 'OPTIONS') throw new AppError('method_not_allowed', `${ctx.method} is not allowed on this path.`);
  ctx.status = 204;
}

/** A method other than POST on an ingest path: exporters probe with HEAD whether a server listens. */
export function respondToProbe(ctx: HttpContext): void {
  if (ctx.method === 'HEAD') ctx.status = 200;
  else respondMethodNotAllowed(ctx, ['POST', 'HEAD']);
}
