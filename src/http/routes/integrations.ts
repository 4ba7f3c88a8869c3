import type { IncomingHttpHeaders } from 'node:http';
import type Router from '@koa/router';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { tenantOfCaller } from '../../features/_kit/tenant-of-caller.ts';
import type { IntegrationSource } from '../../features/integrations/integration-source.ts';
import type { SignatureHeaders } from '../../features/integrations/webhook-signature.ts';
import { authorize } from '../authorize.ts';
import { toBodyLimits } from '../body-reader.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpDependencies, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { respondJson } from '../respond.ts';
import { serveStream } from '../serve-stream.ts';

const REGISTRATION_CLOSED = { isRegistrationOpen: false };
const SENDS = { kind: 'tenant', scope: 'ingest' } as const;
const READS = { kind: 'tenant', scope: 'read' } as const;

/** Webhooks and event streams of the platforms. Their paths name no tenant: the credential or the token identifies it. */
export function integrationRoutes(
  sources: readonly IntegrationSource[],
  parts: RouterParts,
  dependencies: HttpDependencies,
): Router<HttpState> {
  const router = createRouter();
  for (const source of sources) {
    const path = `${API_PREFIX}/${source.integration}`;
    router.post(`${path}/webhook`, (ctx) => acceptByKey(source, parts, ctx as HttpContext));
    router.post(`${path}/webhook/:token`, (ctx) => acceptByToken(source, parts, ctx as HttpContext, ctx.params.token!));
    router.get(`${path}/stream`, (ctx) => stream(source, parts, dependencies, ctx as HttpContext));
  }
  return router;
}

async function acceptByKey(source: IntegrationSource, parts: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = `${source.integration}.webhook`;
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, SENDS, caller, null, REGISTRATION_CLOSED);
  const tenantId = tenantOfCaller(caller);
  parts.services.storage.assertWritable();
  const headers = signatureHeaders(ctx.headers);
  const reply = await withBody(parts, ctx, tenantId, (body) =>
    parts.services.webhooks.handleWithKey(source, tenantId, { body, headers }),
  );
  respondJson(ctx, 202, reply);
}

async function acceptByToken(
  source: IntegrationSource,
  parts: RouterParts,
  ctx: HttpContext,
  token: string,
): Promise<void> {
  ctx.state.route = `${source.integration}.webhook-token`;
  const { webhooks } = parts.services;
  const headers = signatureHeaders(ctx.headers);
  parts.services.storage.assertWritable();
  // The body is not read for a caller that only guesses.
  const row = await webhooks.registrationOf(source, token);
  const holder = `tenant ${row.tenant_no}`;
  const reply = await withBody(parts, ctx, holder, (body) => webhooks.handleWithToken(source, row, { body, headers }));
  respondJson(ctx, 202, reply);
}

function withBody<Result>(
  { bodies, config }: RouterParts,
  ctx: HttpContext,
  holder: string,
  use: (body: Buffer) => Promise<Result>,
) {
  return bodies.withBody(ctx.req, holder, toBodyLimits(BODY_LIMITS.runs, config), use);
}

function signatureHeaders(headers: IncomingHttpHeaders): SignatureHeaders {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value.trim() : null;
  };
  return { signature: one('x-svc-signature'), timestamp: one('x-svc-timestamp'), nonce: one('x-svc-nonce') };
}

async function stream(
  { integration }: IntegrationSource,
  parts: RouterParts,
  dependencies: HttpDependencies,
  ctx: HttpContext,
): Promise<void> {
  ctx.state.route = `${integration}.stream`;
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, READS, caller, null, REGISTRATION_CLOSED);
  decodeQuery(undefined, ctx.querystring);
  const tenantId = tenantOfCaller(caller);
  await serveStream(ctx, parts, dependencies, { tenantId, channel: integration, greeting: { integration } });
}
