import { VERSION } from '../../core/version.ts';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { langfuseEvents } from '../../features/ingest/langfuse-decoder.ts';
import type { EventOutcomes } from '../../formats/langfuse/decode-events.ts';
import { toBodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpMiddleware } from '../http-context.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { respondMethodNotAllowed, respondToProbe } from '../method-not-allowed.ts';
import type { RouterParts } from '../operation-router.ts';
import { requireTenant } from '../require-tenant.ts';
import { respondJson } from '../respond.ts';
import { langfuseCredential } from '../vendor-credential.ts';
import { sentBytes } from './otlp.ts';

export const INGESTION_PATH = '/api/public/ingestion';
export const LANGFUSE_HEALTH_PATH = '/api/public/health';

/** Routes of Langfuse's own SDKs besides OTLP: event batches of SDKs before version 4, and their health check. */
export function langfuseRoutes(parts: RouterParts): HttpMiddleware {
  return (ctx, next) => {
    if (ctx.path === INGESTION_PATH) return acceptEvents(parts, ctx);
    if (ctx.path === LANGFUSE_HEALTH_PATH) return answerHealth(ctx);
    return next();
  };
}

async function acceptEvents(parts: RouterParts, ctx: HttpContext): Promise<void> {
  if (ctx.method !== 'POST') return respondToProbe(ctx);
  ctx.state.route = 'langfuse.ingestion';
  const { bodies, config, services } = parts;
  const tenantId = await requireTenant(parts, ctx, langfuseCredential);
  if (!isJsonType(mediaTypeOf(ctx.headers['content-type']))) rejectMediaType('application/json');
  await services.ingest.assertCapacity(tenantId, sentBytes(ctx));
  const { facts } = await bodies.withBody(ctx.req, tenantId, toBodyLimits(BODY_LIMITS.batches, config), (body) =>
    services.ingest.ingestBody(tenantId, langfuseEvents, body, null),
  );
  respondJson(ctx, 207, toAnswer(facts));
}

/** Langfuse responds per event. Its SDKs resend a batch while `errors` is not empty, at most three times. */
function toAnswer({ taken, rejected }: EventOutcomes): unknown {
  return {
    successes: taken.map((id) => ({ id, status: 201 })),
    errors: rejected.map(({ id, pointer, message }) => ({
      id,
      status: 400,
      message: 'Invalid request data',
      error: `${pointer}: ${message}`,
    })),
  };
}

function answerHealth(ctx: HttpContext): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') respondJson(ctx, 200, { status: 'OK', version: VERSION });
  else respondMethodNotAllowed(ctx, ['GET', 'HEAD']);
}
