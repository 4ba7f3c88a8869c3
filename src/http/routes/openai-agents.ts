import { AppError } from '../../core/app-error.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeAgentsExport, isAgentsExport } from '../../formats/openai-agents/decode-export.ts';
import { answerJson } from '../answer.ts';
import { authorize } from '../authorize.ts';
import { parseBody } from '../decode-body.ts';
import type { HttpContext, HttpMiddleware } from '../http-context.ts';
import { isJsonType, mediaTypeOf, refuseMediaType } from '../media-type.ts';
import { answerOtherMethod } from '../method-not-allowed.ts';
import type { RouterParts } from '../operation-router.ts';

export const AGENTS_SDK_PATH = '/v1/traces/ingest';

/** The SDK sends 128 records at once; this leaves 128 KB for each. */
const MAX_BYTES = 16 * 1024 * 1024;
const ACCESS = { kind: 'tenant', scope: 'ingest' } as const;

/**
 * Where the OpenAI Agents SDK's `OpenAITracingExporter` is pointed to: `{data: [trace | trace.span, …]}` with the API key
 * as bearer. Answered 202 as `…/traces/ingest` is; the SDK looks at the status only, and tries 429 and 5xx again.
 */
export function openAiAgentsRoute({ authenticate, services, bodies, config }: RouterParts): HttpMiddleware {
  const maxBytes = Math.min(MAX_BYTES, config.maxUnpackedBytes);
  const limits = { maxSentBytes: maxBytes, maxUnpackedBytes: maxBytes };
  return async (ctx, next) => {
    if (ctx.path !== AGENTS_SDK_PATH) return next();
    if (ctx.method !== 'POST') return answerOtherMethod(ctx, ['POST']);
    ctx.state.route = 'openai-agents.traces';
    const tenantId = await tenantOf(ctx);
    if (!isJsonType(mediaTypeOf(ctx.headers['content-type']))) refuseMediaType('application/json');
    const reply = await bodies.withBody(ctx.req, limits, async (body) =>
      services.ingest.ingestSpans(tenantId, decode(body)),
    );
    answerJson(ctx, 202, {
      accepted_spans: reply.acceptedSpans,
      rejected_spans: reply.rejectedSpans,
      trace_ids: reply.traceIds,
      errors: reply.errors,
    });
  };

  async function tenantOf(ctx: HttpContext): Promise<string> {
    const caller = await authenticate(ctx);
    await authorize(services, ACCESS, caller, null, { isRegistrationOpen: false });
    if (caller.tenantId === null)
      throw new AppError('forbidden', 'The operator credential names no tenant; use an API key.');
    return caller.tenantId;
  }
}

/** A trace's beginning and its end are two records of one span, often in one batch. */
function decode(body: Buffer): Decoded {
  const value = parseBody(body);
  if (!isAgentsExport(value))
    throw new AppError('invalid_body', 'The body must be {"data": […]} with records of the OpenAI Agents SDK.', {
      errors: [{ pointer: '/data', message: 'must hold records whose object is "trace" or "trace.span"' }],
    });
  const { spans, refusals } = decodeAgentsExport(value);
  return { spans: mergeSpans(spans), refusals };
}
