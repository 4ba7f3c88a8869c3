import { AppError } from '../../core/app-error.ts';
import { VERSION } from '../../core/version.ts';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import type { IngestReply } from '../../features/ingest/ingest.service.ts';
import { toIngestResult } from '../../features/ingest/ingest-result.ts';
import { langSmithRuns, type RunsRequest } from '../../features/ingest/langsmith-decoder.ts';
import { type BodyLimits, toBodyLimits } from '../body-reader.ts';
import type { HttpContext, HttpMiddleware } from '../http-context.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { respondMethodNotAllowed, respondToProbe } from '../method-not-allowed.ts';
import { API_PREFIX, type RouterParts } from '../operation-router.ts';
import { requireTenant } from '../require-tenant.ts';
import { respondJson } from '../respond.ts';
import { langSmithCredential } from '../vendor-credential.ts';
import { sentBytes } from './otlp.ts';

/** LangSmith's SDKs append these paths to their endpoint, which for self-hosted installations ends in `/api/v1`. */
const PATH = new RegExp(`^(?:${API_PREFIX})?(/info|/runs(?:/[^/]+)?)$`);

/** Routes of LangSmith's SDKs: runs in batches, or one by one, after a request for the server's limits. */
export function langSmithRoutes(parts: RouterParts): HttpMiddleware {
  return (ctx, next) => {
    const path = PATH.exec(ctx.path)?.[1];
    if (path === undefined) return next();
    if (path === '/info') return answerInfo(ctx);
    const methods = path === '/runs' || BATCHES[path] !== undefined ? 'POST' : 'PATCH';
    if (ctx.method === methods) return acceptRuns(parts, ctx, requestOf(path));
    return methods === 'POST' ? respondToProbe(ctx) : respondMethodNotAllowed(ctx, ['PATCH']);
  };
}

const BATCHES: Readonly<Record<string, RunsRequest>> = {
  '/runs/multipart': { kind: 'multipart' },
  '/runs/batch': { kind: 'batch' },
};

function requestOf(path: string): RunsRequest {
  if (path === '/runs') return { kind: 'post' };
  return BATCHES[path] ?? { kind: 'patch', runId: path.slice('/runs/'.length) };
}

async function acceptRuns(parts: RouterParts, ctx: HttpContext, request: RunsRequest): Promise<void> {
  ctx.state.route = 'langsmith.runs';
  const { bodies, services } = parts;
  const tenantId = await requireTenant(parts, ctx, langSmithCredential);
  assertMediaType(ctx, request);
  await services.ingest.assertCapacity(tenantId, sentBytes(ctx));
  const reply = await bodies.withBody(ctx.req, tenantId, limitsOf(request, parts), (body) =>
    services.ingest.ingestBody(tenantId, langSmithRuns, body, request),
  );
  assertAnyReadable(reply);
  respondJson(ctx, 202, { message: MESSAGES[request.kind], ...toIngestResult(reply) });
}

const MESSAGES: Readonly<Record<RunsRequest['kind'], string>> = {
  multipart: 'Runs batch ingested',
  batch: 'Runs batch ingested',
  post: 'Run created',
  patch: 'Run updated',
};

function assertMediaType(ctx: HttpContext, { kind }: RunsRequest): void {
  const type = mediaTypeOf(ctx.headers['content-type']);
  if (kind === 'multipart' ? type === 'multipart/form-data' : isJsonType(type)) return;
  rejectMediaType(kind === 'multipart' ? 'multipart/form-data' : 'application/json');
}

/** Attachments make a multipart body large, and are not stored. */
function limitsOf({ kind }: RunsRequest, { config }: RouterParts): BodyLimits {
  return kind === 'multipart' ? config : toBodyLimits(BODY_LIMITS.batches, config);
}

function assertAnyReadable({ acceptedSpans, rejectedSpans, errors }: IngestReply): void {
  if (acceptedSpans === 0 && rejectedSpans > 0)
    throw new AppError('invalid_body', 'No run of the body could be read.', { errors });
}

/** Batch size that the SDK should not exceed; it also splits its batches by `BATCH_RUNS`. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RUNS = 100;

/** Public, as LangSmith's is: the SDK reads it once, before it sends. */
function answerInfo(ctx: HttpContext): void {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    respondMethodNotAllowed(ctx, ['GET', 'HEAD']);
    return;
  }
  respondJson(ctx, 200, {
    version: VERSION,
    batch_ingest_config: {
      use_multipart_endpoint: true,
      scale_up_qsize_trigger: 1000,
      scale_up_nthreads_limit: 16,
      scale_down_nempty_trigger: 4,
      size_limit: BATCH_RUNS,
      size_limit_bytes: BATCH_BYTES,
    },
    instance_flags: { gzip_body_enabled: false, zstd_compression_enabled: false },
  });
}
