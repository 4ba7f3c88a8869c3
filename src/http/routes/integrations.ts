import type { IncomingHttpHeaders } from 'node:http';
import type Router from '@koa/router';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import { BODY_LIMITS } from '../../features/_kit/body-limits.ts';
import { tenantOfCaller } from '../../features/_kit/tenant-of-caller.ts';
import type { IntegrationSource } from '../../features/integrations/integration-source.ts';
import type { SignatureHeaders } from '../../features/integrations/webhook-signature.ts';
import { answerJson } from '../answer.ts';
import { authorize } from '../authorize.ts';
import { toBodyLimits } from '../body-reader.ts';
import { decodeQuery } from '../decode-query.ts';
import { openEventStream } from '../event-stream.ts';
import type { HttpContext, HttpDependencies, HttpState } from '../http-context.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';

const CLOSED_DOOR = { isRegistrationOpen: false };
const SENDS = { kind: 'tenant', scope: 'ingest' } as const;
const READS = { kind: 'tenant', scope: 'read' } as const;
const STREAM_RETRY_SECONDS = 30;
const HEARTBEAT_MS = 15_000;
/** How long a stream may outlive its credential. */
const CHECK_MS = 1_000;

/** Webhooks and event streams of the platforms. A path of theirs names no tenant: the credential or the token does. */
export function integrationRoutes(
  sources: readonly IntegrationSource[],
  parts: RouterParts,
  dependencies: HttpDependencies,
): Router<HttpState> {
  const router = createRouter();
  for (const source of sources) {
    const path = `${API_PREFIX}/${source.integration}`;
    router.post(`${path}/webhook`, (ctx) => takeByKey(source, parts, ctx as HttpContext));
    router.post(`${path}/webhook/:token`, (ctx) => takeByToken(source, parts, ctx as HttpContext, ctx.params.token!));
    router.get(`${path}/stream`, (ctx) => stream(source, parts, dependencies, ctx as HttpContext));
  }
  return router;
}

async function takeByKey(source: IntegrationSource, parts: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = `${source.integration}.webhook`;
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, SENDS, caller, null, CLOSED_DOOR);
  const tenantId = tenantOfCaller(caller);
  parts.services.storage.assertWritable();
  const headers = signatureHeaders(ctx.headers);
  const reply = await withBody(parts, ctx, tenantId, (body) =>
    parts.services.webhooks.takeByKey(source, tenantId, { body, headers }),
  );
  answerJson(ctx, 202, reply);
}

async function takeByToken(
  source: IntegrationSource,
  parts: RouterParts,
  ctx: HttpContext,
  token: string,
): Promise<void> {
  ctx.state.route = `${source.integration}.webhook-token`;
  const { webhooks } = parts.services;
  const headers = signatureHeaders(ctx.headers);
  parts.services.storage.assertWritable();
  // Nothing is read for somebody who only guesses.
  const row = await webhooks.registrationOf(source, token);
  const holder = `tenant ${row.tenant_no}`;
  const reply = await withBody(parts, ctx, holder, (body) => webhooks.takeByToken(source, row, { body, headers }));
  answerJson(ctx, 202, reply);
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
  { clock, logger, heartbeat = every(HEARTBEAT_MS), checkEverySecond = every(CHECK_MS) }: HttpDependencies,
  ctx: HttpContext,
): Promise<void> {
  ctx.state.route = `${integration}.stream`;
  const caller = await parts.authenticate(ctx);
  await authorize(parts.services, READS, caller, null, CLOSED_DOOR);
  decodeQuery(undefined, ctx.querystring);
  const tenantId = tenantOfCaller(caller);
  const tenantNo = await parts.services.tenants.tenantNoOf(tenantId);
  const { streams } = parts.services;
  assertRoom(streams.listenerCount(tenantNo), parts.config.maxStreams.ofTenant, 'of this tenant');
  assertRoom(streams.listenerCount(), parts.config.maxStreams.inAll, 'of this server');
  ctx.status = 200;
  if (ctx.method === 'HEAD') return void ctx.set('Content-Type', 'text/event-stream');

  ctx.respond = false;
  const { requestId } = ctx.state;
  const open = openEventStream(ctx.res, () => logger.info({ request_id: requestId }, 'dropped a slow stream'));
  const after = lastEventId(ctx.get('Last-Event-ID'));
  const listener = {
    take: ({ id, event, data }: { id: number; event: string; data: Parameters<typeof open.send>[1] }) =>
      open.send(event, data, id),
    end: () => open.close('shutdown'),
  };
  const { missed, hasGap, newestId, stop } = streams.subscribe(tenantNo, integration, after, listener);
  // Whoever comes back keeps the id it has until the first event that it missed.
  open.send('connected', { integration, at: toRfc3339(clock.now()) }, after === null ? newestId : undefined);
  // A client that comes back once more has had the gap told.
  const tellsGapTo = missed[0] === undefined ? newestId : missed[0].id - 1;
  if (hasGap) open.send('gap', { message: 'Events before this were lost; read the lists again.' }, tellsGapTo);
  for (const entry of missed) listener.take(entry);
  const stopBeat = heartbeat(() => open.beat());
  const stopChecks = checkEverySecond(() => {
    parts.authenticate(ctx).catch((error) => {
      // A key that was revoked and a token that expired end the stream; a store that cannot be read does not.
      if (error instanceof AppError && error.code === 'unauthenticated') open.close('unauthenticated');
    });
  });
  ctx.res.once('close', () => {
    stop();
    stopBeat();
    stopChecks();
  });
}

function assertRoom(open: number, most: number, whose: string): void {
  if (open < most) return;
  const message = `${most} streams ${whose} are open, and there may be no more.`;
  throw new AppError('busy', message, { retryAfterSeconds: STREAM_RETRY_SECONDS });
}

/** Null for a client that is new; what is no id of ours is one that nobody knows. */
function lastEventId(header: string): number | null {
  if (header === '') return null;
  return /^\d{1,16}$/.test(header) ? Number(header) : 0;
}

function every(ms: number): (work: () => void) => () => void {
  return (work) => {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  };
}
