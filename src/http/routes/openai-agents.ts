import type Router from '@koa/router';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { agentsSdkExport } from '../../features/ingest/agents-sdk-decoder.ts';
import { toIngestResult } from '../../features/ingest/ingest-result.ts';
import { toBodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { createRouter, type RouterParts } from '../operation-router.ts';
import { requireTenant } from '../require-tenant.ts';
import { respondJson } from '../respond.ts';

export const AGENTS_SDK_PATH = '/v1/traces/ingest';

/** The SDK sends 128 records per request; this leaves 128 kB for each. */
const LIMIT = BODY_LIMITS.runs;

/**
 * Endpoint for the OpenAI Agents SDK's `OpenAITracingExporter`: `{data: [trace | trace.span, …]}` with the API key as
 * bearer token. Responds 202 as `…/traces/ingest` does; the SDK checks the status only, and retries 429 and 5xx.
 */
export function openAiAgentsRoutes(parts: RouterParts): Router<HttpState> {
  const { bodies, config, services } = parts;
  const limits = toBodyLimits(LIMIT, config);
  const router = createRouter();
  router.head(AGENTS_SDK_PATH, (ctx) => {
    ctx.status = 200;
  });
  router.post(AGENTS_SDK_PATH, async (context) => {
    const ctx = context as HttpContext;
    ctx.state.route = 'openai-agents.traces';
    const tenantId = await requireTenant(parts, ctx);
    if (!isJsonType(mediaTypeOf(ctx.headers['content-type']))) rejectMediaType('application/json');
    const reply = await bodies.withBody(ctx.req, tenantId, limits, (body) =>
      services.ingest.ingestBody(tenantId, agentsSdkExport, body, null),
    );
    respondJson(ctx, 202, toIngestResult(reply));
  });
  return router;
}
