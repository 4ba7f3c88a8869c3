import type { RefusalLog } from '../features/ingest/refusal-log.ts';
import { redactMessage } from '../formats/redaction/redact-message.ts';
import { ERROR_STATUS } from './error-status.ts';
import type { HttpContext, HttpMiddleware } from './http-context.ts';
import { toAppError, toProblem } from './problem.ts';
import { redactPath } from './redact-path.ts';

/** Records rejected requests and their reasons, for the person who connects a program. @param routes that receive data */
export function recordRefusals(log: RefusalLog, routes: ReadonlySet<string>): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      const [status] = ERROR_STATUS[error.code];
      if (isOf(ctx, routes) && status < 500) record(log, ctx, status, toProblem(error, '', '').detail);
      throw thrown;
    }
    const { rejectedPart } = ctx.state;
    if (rejectedPart !== undefined && isOf(ctx, routes)) record(log, ctx, ctx.status, redactMessage(rejectedPart));
  };
}

function isOf({ state }: HttpContext, routes: ReadonlySet<string>): boolean {
  return state.route !== undefined && routes.has(state.route);
}

/** Ids in a path may be those of another tenant. */
const ID = /\/(tenants|runs)\/(?!batch|multipart|query)[^/]+/g;

function record(log: RefusalLog, ctx: HttpContext, status: number, detail: string): void {
  const sender = ctx.get('User-Agent') || null;
  log.record({
    tenantId: ctx.state.caller?.tenantId ?? null,
    path: redactPath(ctx.path).replace(ID, '/$1/{id}'),
    status,
    detail,
    sender,
  });
}
