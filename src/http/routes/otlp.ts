import { AppError } from '../../core/app-error.ts';
import type { Refusal } from '../../core/span.ts';
import type { IngestReply } from '../../features/ingest/ingest.service.ts';
import { encodeExportResponse, type OtlpEncoding } from '../../formats/otlp/encode-response.ts';
import { answerJson, answerWith } from '../answer.ts';
import { authorize } from '../authorize.ts';
import type { BodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpMiddleware } from '../http-context.ts';
import { mediaTypeOf, refuseMediaType } from '../media-type.ts';
import { answerOtherMethod } from '../method-not-allowed.ts';
import { API_PREFIX, type RouterParts } from '../operation-router.ts';

export const STANDARD_TRACES_PATH = '/v1/traces';
export const INGEST_ROUTES: ReadonlySet<string> = new Set(['traces.ingest', 'otlp.traces', 'openai-agents.traces']);

const INGEST_PATH = new RegExp(`^${API_PREFIX}/tenants/([^/]+)/traces/ingest$`);
const INGEST_ACCESS = { kind: 'tenant', scope: 'ingest' } as const;
const CLOSED_DOOR = { isRegistrationOpen: false };

const ENCODINGS: Readonly<Record<string, OtlpEncoding>> = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
};

const NOT_TAKEN: Readonly<Record<string, string>> = {
  '/v1/metrics': 'Misstep takes traces, not metrics; export them to /v1/traces.',
  '/v1/logs': 'Misstep takes traces, not logs; export them to /v1/traces.',
};

/** The two ways in for spans. They stand before the router, because most requests come here. */
export function otlpRoutes(parts: RouterParts): HttpMiddleware {
  const limits = { maxSentBytes: parts.config.maxSentBytes, maxUnpackedBytes: parts.config.maxUnpackedBytes };
  return (ctx, next) => {
    if (ctx.path === STANDARD_TRACES_PATH) return takeStandard(parts, limits, ctx);
    const tenantId = ctx.path.endsWith('/traces/ingest') ? INGEST_PATH.exec(ctx.path)?.[1] : undefined;
    if (tenantId !== undefined) return takeForTenant(parts, limits, ctx, tenantId);
    const refusal = NOT_TAKEN[ctx.path];
    if (refusal !== undefined) throw new AppError('not_found', refusal);
    return next();
  };
}

async function takeStandard(parts: RouterParts, limits: BodyLimits, ctx: HttpContext): Promise<void> {
  if (ctx.method !== 'POST') return answerOtherMethod(ctx, ['POST']);
  ctx.state.route = 'otlp.traces';
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, INGEST_ACCESS, caller, null, CLOSED_DOOR);
  if (caller.tenantId === null)
    throw new AppError('forbidden', 'The operator credential names no tenant; use an API key.');
  const encoding = encodingOf(ctx);
  const reply = await take(parts, limits, ctx, caller.tenantId, encoding);
  const body = encodeExportResponse(encoding, reply.rejectedSpans, summarise(reply.errors));
  answerWith(ctx, 200, encoding === 'json' ? 'application/json' : 'application/x-protobuf', body);
}

async function takeForTenant(
  parts: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  tenantId: string,
): Promise<void> {
  if (ctx.method !== 'POST') return answerOtherMethod(ctx, ['POST']);
  ctx.state.route = 'traces.ingest';
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, INGEST_ACCESS, caller, tenantId, CLOSED_DOOR);
  const reply = await take(parts, limits, ctx, tenantId, encodingOf(ctx));
  answerJson(ctx, 202, {
    accepted_spans: reply.acceptedSpans,
    rejected_spans: reply.rejectedSpans,
    trace_ids: reply.traceIds,
    errors: reply.errors,
  });
}

function encodingOf(ctx: HttpContext): OtlpEncoding {
  const encoding = ENCODINGS[mediaTypeOf(ctx.headers['content-type'])];
  return encoding ?? refuseMediaType('application/json or application/x-protobuf');
}

function take(
  { bodies, services }: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  tenantId: string,
  encoding: OtlpEncoding,
): Promise<IngestReply> {
  return bodies.withBody(ctx.req, limits, (body) => services.ingest.ingest(tenantId, { encoding, body }));
}

const SHOWN_REFUSALS = 3;

function summarise(errors: readonly Refusal[]): string {
  const shown = errors.slice(0, SHOWN_REFUSALS).map(({ pointer, message }) => `${pointer}: ${message}`);
  const rest = errors.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}
