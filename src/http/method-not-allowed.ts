import { AppError } from '../core/app-error.ts';
import type { HttpContext } from './http-context.ts';

/** Ends a request for a known path under another method: OPTIONS is told what goes, the rest are refused. */
export function answerOtherMethod(ctx: HttpContext, methods: readonly string[]): void {
  ctx.set('Allow', [...new Set([...methods, 'OPTIONS'])].join(', '));
  if (ctx.method !== 'OPTIONS') throw new AppError('method_not_allowed', `${ctx.method} does not go here.`);
  ctx.status = 204;
}

/** A method other than POST on a path that takes data: exporters probe with HEAD whether somebody listens. */
export function answerProbe(ctx: HttpContext): void {
  if (ctx.method === 'HEAD') ctx.status = 200;
  else answerOtherMethod(ctx, ['POST', 'HEAD']);
}
