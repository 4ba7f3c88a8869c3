import type Router from '@koa/router';
import { tenantOfCaller } from '../../features/_kit/tenant-of-caller.ts';
import { answerJson } from '../answer.ts';
import { authorize } from '../authorize.ts';
import { parseBody } from '../decode-body.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { isJsonType, mediaTypeOf, refuseMediaType } from '../media-type.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

export const CLI_AGENT_PATH = `${API_PREFIX}/traces/cli-agent/ingest`;

const ACCESS = { kind: 'tenant', scope: 'ingest' } as const;

/** Records of coding agents; they may call it themselves, as a hook of the type `http`. */
export function cliAgentRoutes(parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.post(CLI_AGENT_PATH, (ctx) => takeRecords(parts, ctx as HttpContext));
  return router;
}

async function takeRecords({ services, bodies, config, authenticate }: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'traces.cli-agent-ingest';
  const caller = await authenticate(ctx);
  await authorize(services, ACCESS, caller, null, { isRegistrationOpen: false });
  const tenantId = tenantOfCaller(caller);
  decodeQuery(undefined, ctx.querystring);
  const limits = { maxSentBytes: config.maxSentBytes, maxUnpackedBytes: config.maxUnpackedBytes };
  const reply = await bodies.withBody(ctx.req, limits, (body) => {
    if (!isJsonType(mediaTypeOf(ctx.headers['content-type']))) refuseMediaType('application/json');
    return services.codingAgents.takeRecords(tenantId, parseBody(body));
  });
  // An agent reads the answer to its own hook as a decision: an empty one decides nothing.
  if (reply.isHookCall) return answerJson(ctx, 200, {});
  answerJson(ctx, 202, {
    accepted_records: reply.acceptedRecords,
    rejected_records: reply.rejectedRecords,
    trace_ids: reply.traceIds,
    errors: reply.errors,
  });
}
