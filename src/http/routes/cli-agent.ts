import type Router from '@koa/router';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { toBodyLimits } from '../body-reader.ts';
import { decodeQuery } from '../decode-query.ts';
import { originOf } from '../hook-origin.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { requireTenant } from '../require-tenant.ts';
import { respondJson } from '../respond.ts';

export const CLI_AGENT_PATH = `${API_PREFIX}/traces/cli-agent/ingest`;

/** Records of coding agents; the agents may call it themselves, as a hook of type `http`. */
export function cliAgentRoutes(parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.post(CLI_AGENT_PATH, (ctx) => acceptRecords(parts, ctx as HttpContext));
  return router;
}

async function acceptRecords(parts: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'traces.cli-agent-ingest';
  const { services, bodies, config } = parts;
  const tenantId = await requireTenant(parts, ctx);
  decodeQuery(undefined, ctx.querystring);
  const origin = originOf(ctx.headers);
  const reply = await bodies.withBody(ctx.req, tenantId, toBodyLimits(BODY_LIMITS.hooks, config), (body) => {
    if (!isJsonType(mediaTypeOf(ctx.headers['content-type']))) rejectMediaType('application/json');
    return services.codingAgents.ingestRecords(tenantId, body, origin);
  });
  // An agent interprets the response to its own hook as a decision: an empty one decides nothing.
  if (reply.isHookCall) return respondJson(ctx, 200, {});
  respondJson(ctx, 202, {
    accepted_records: reply.acceptedRecords,
    rejected_records: reply.rejectedRecords,
    trace_ids: reply.traceIds,
    errors: reply.errors,
  });
}
