import type { HttpDependencies, HttpMiddleware } from './http-context.ts';
import { redactPath } from './redact-path.ts';

/** One line per request, without query, headers or body. Accepted telemetry is logged at debug level only. */
export function requestLogMiddleware(
  { logger, clock }: HttpDependencies,
  quietRoutes: ReadonlySet<string>,
): HttpMiddleware {
  return async (ctx, next) => {
    const startedAt = clock.now();
    await next();
    const level = ctx.status < 400 && quietRoutes.has(ctx.state.route ?? '') ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        request_id: ctx.state.requestId,
        method: ctx.method,
        path: redactPath(ctx.path),
        status: ctx.status,
        duration_ms: clock.now() - startedAt,
        tenant_id: ctx.state.caller?.tenantId ?? undefined,
      },
      'request',
    );
  };
}
