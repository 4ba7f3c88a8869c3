import { Counter, type Registry } from 'prom-client';
import { boundedFieldErrors } from '../../core/bounded-errors.ts';
import type { Rejection } from '../../core/span.ts';
import type { IngestReply } from '../../features/ingest/ingest.service.ts';
import { toIngestResult } from '../../features/ingest/ingest-result.ts';
import { encodeExportResponse, type OtlpEncoding } from '../../formats/otlp/encode-response.ts';
import { authorize } from '../authorize.ts';
import type { BodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpMiddleware } from '../http-context.ts';
import { mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { respondToProbe } from '../method-not-allowed.ts';
import { API_PREFIX, type RouterParts } from '../operation-router.ts';
import { requireTenant } from '../require-tenant.ts';
import { respondJson, respondWith } from '../respond.ts';
import { type CredentialReader, langfuseCredential, langSmithCredential } from '../vendor-credential.ts';

export const STANDARD_TRACES_PATH = '/v1/traces';
/** For senders that append the standard path to the API's base URL, such as Dify. */
const PREFIXED_TRACES_PATH = `${API_PREFIX}${STANDARD_TRACES_PATH}`;
export const LANGFUSE_TRACES_PATH = '/api/public/otel/v1/traces';
export const LANGSMITH_TRACES_PATH = '/otel/v1/traces';
/** Endpoints of exporters, with the header of their key if it is not one of the project's own. */
const TRACES_PATHS: ReadonlyMap<string, CredentialReader | undefined> = new Map([
  [STANDARD_TRACES_PATH, undefined],
  [PREFIXED_TRACES_PATH, undefined],
  [LANGFUSE_TRACES_PATH, langfuseCredential],
  [LANGSMITH_TRACES_PATH, langSmithCredential],
  [`${API_PREFIX}${LANGSMITH_TRACES_PATH}`, langSmithCredential],
]);
export const STANDARD_LOGS_PATH = '/v1/logs';
export const INGEST_ROUTES: ReadonlySet<string> = new Set([
  'traces.ingest',
  'otlp.traces',
  'otlp.logs',
  'openai-agents.traces',
  'langfuse.ingestion',
  'langsmith.runs',
  'traces.cli-agent-ingest',
]);

const INGEST_PATH = new RegExp(`^${API_PREFIX}/tenants/([^/]+)/traces/ingest$`);
const INGEST_ACCESS = { kind: 'tenant', scope: 'ingest' } as const;
const REGISTRATION_CLOSED = { isRegistrationOpen: false };

const ENCODINGS: Readonly<Record<string, OtlpEncoding>> = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
};

/** Routes that accept OTLP. They come before the router, because most requests are for them. */
export function otlpRoutes(parts: RouterParts, registry?: Registry): HttpMiddleware {
  const recordIgnored = countIgnored(registry);
  const limits = { maxSentBytes: parts.config.maxSentBytes, maxUnpackedBytes: parts.config.maxUnpackedBytes };
  return (ctx, next) => {
    if (TRACES_PATHS.has(ctx.path)) return acceptStandard(parts, limits, ctx, TRACES_PATHS.get(ctx.path));
    if (ctx.path === STANDARD_LOGS_PATH) return acceptLogs(parts, limits, ctx, recordIgnored);
    const tenantId = ctx.path.endsWith('/traces/ingest') ? INGEST_PATH.exec(ctx.path)?.[1] : undefined;
    if (tenantId !== undefined) return acceptForTenant(parts, limits, ctx, tenantId);
    return next();
  };
}

async function acceptStandard(
  parts: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  readCredential: CredentialReader | undefined,
): Promise<void> {
  if (ctx.method !== 'POST') return respondToProbe(ctx);
  ctx.state.route = 'otlp.traces';
  const tenantId = await requireTenant(parts, ctx, readCredential);
  const encoding = encodingOf(ctx);
  const reply = await acceptSpans(parts, limits, ctx, tenantId, encoding);
  const reasons = summarize(reply.errors);
  if (reply.rejectedSpans > 0) ctx.state.rejectedPart = `${reply.rejectedSpans}  spans were rejected: ${reasons}`;
  sendExportResponse(ctx, encoding, encodeExportResponse(encoding, reply.rejectedSpans, reasons));
}

/** Logs that are unrelated to coding agents are accepted, too, and only counted: a rejection would not help an exporter. */
async function acceptLogs(
  parts: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  recordIgnored: (count: number) => void,
): Promise<void> {
  if (ctx.method !== 'POST') return respondToProbe(ctx);
  ctx.state.route = 'otlp.logs';
  const tenantId = await requireTenant(parts, ctx);
  const encoding = encodingOf(ctx);
  const { bodies, services } = parts;
  await services.ingest.assertCapacity(tenantId, sentBytes(ctx));
  const reply = await bodies.withBody(ctx.req, tenantId, limits, (body) =>
    services.codingAgents.ingestLogs(tenantId, { encoding, body }),
  );
  recordIgnored(reply.ignoredRecords);
  sendExportResponse(
    ctx,
    encoding,
    encodeExportResponse(encoding, reply.rejectedRecords, summarize(reply.errors), 'logs'),
  );
}

function countIgnored(registry: Registry | undefined): (count: number) => void {
  if (!registry) return () => {};
  const ignored = new Counter({
    name: 'misstep_log_records_ignored_total',
    help: 'Accepted log records that contain no step of a coding agent',
    registers: [registry],
  });
  return (count) => ignored.inc(count);
}

function sendExportResponse(ctx: HttpContext, encoding: OtlpEncoding, body: Buffer): void {
  respondWith(ctx, 200, encoding === 'json' ? 'application/json' : 'application/x-protobuf', body);
}

async function acceptForTenant(
  parts: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  tenantId: string,
): Promise<void> {
  if (ctx.method !== 'POST') return respondToProbe(ctx);
  ctx.state.route = 'traces.ingest';
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, INGEST_ACCESS, caller, tenantId, REGISTRATION_CLOSED);
  const reply = await acceptSpans(parts, limits, ctx, tenantId, encodingOf(ctx));
  respondJson(ctx, 202, toIngestResult(reply));
}

function encodingOf(ctx: HttpContext): OtlpEncoding {
  const encoding = ENCODINGS[mediaTypeOf(ctx.headers['content-type'])];
  return encoding ?? rejectMediaType('application/json or application/x-protobuf');
}

async function acceptSpans(
  { bodies, services }: RouterParts,
  limits: BodyLimits,
  ctx: HttpContext,
  tenantId: string,
  encoding: OtlpEncoding,
): Promise<IngestReply> {
  await services.ingest.assertCapacity(tenantId, sentBytes(ctx));
  return bodies.withBody(ctx.req, tenantId, limits, (body) => services.ingest.ingest(tenantId, { encoding, body }));
}

/** Content-Length of the request; 0 without one. */
export function sentBytes(ctx: HttpContext): number {
  return Number(ctx.headers['content-length']) || 0;
}

const MAX_SHOWN_REJECTIONS = 3;

function summarize(errors: readonly Rejection[]): string {
  const shown = boundedFieldErrors(errors.slice(0, MAX_SHOWN_REJECTIONS)).map(
    ({ pointer, message }) => `${pointer}: ${message}`,
  );
  const rest = errors.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}
