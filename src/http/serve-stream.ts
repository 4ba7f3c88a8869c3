import { AppError } from '../core/app-error.ts';
import { toRfc3339 } from '../core/clock.ts';
import type { JsonObject } from '../core/json.ts';
import type { StreamChannel } from '../features/streams/event-hub.ts';
import type { StreamEvent } from '../features/streams/stream-event.ts';
import { openEventStream } from './event-stream.ts';
import type { HttpContext, HttpDependencies } from './http-context.ts';
import type { RouterParts } from './operation-router.ts';

const RETRY_SECONDS = 30;
const HEARTBEAT_MS = 15_000;
/** How long a stream may outlive its credential. */
const CHECK_MS = 1_000;

export interface StreamRequest {
  tenantId: string;
  channel: StreamChannel;
  /** Content of `connected`, besides the time. */
  greeting: JsonObject;
  /** Events to send; all if omitted. */
  isWanted?(event: StreamEvent): boolean;
}

/** Streams the events of a channel until the client disconnects, the credential expires or the server stops. */
export async function serveStream(
  ctx: HttpContext,
  parts: RouterParts,
  { clock, logger, heartbeat = every(HEARTBEAT_MS), checkEverySecond = every(CHECK_MS) }: HttpDependencies,
  { tenantId, channel, greeting, isWanted = () => true }: StreamRequest,
): Promise<void> {
  const tenantNo = await parts.services.tenants.tenantNoOf(tenantId);
  const { streams } = parts.services;
  assertCapacity(streams.listenerCount(tenantNo), parts.config.maxStreams.perTenant, 'of this tenant');
  assertCapacity(streams.listenerCount(), parts.config.maxStreams.total, 'of this server');
  ctx.status = 200;
  if (ctx.method === 'HEAD') return void ctx.set('Content-Type', 'text/event-stream');

  ctx.respond = false;
  const { requestId } = ctx.state;
  const open = openEventStream(ctx.res, () => logger.info({ request_id: requestId }, 'dropped a slow stream'));
  const after = lastEventId(ctx.get('Last-Event-ID'));
  const listener = {
    receive(entry: StreamEvent) {
      if (isWanted(entry)) open.send(entry.event, entry.data, entry.id);
    },
    end: () => open.close('shutdown'),
  };
  const { missed, hasGap, newestId, stop } = streams.subscribe(tenantNo, channel, after, listener);
  // A reconnecting client keeps its last id until the first event that it missed.
  open.send('connected', { ...greeting, at: toRfc3339(clock.now()) }, after === null ? newestId : undefined);
  // A client that reconnects once more has already received the gap event.
  const gapSentTo = missed[0] === undefined ? newestId : missed[0].id - 1;
  if (hasGap) open.send('gap', { message: 'Events before this were lost; read the lists again.' }, gapSentTo);
  for (const entry of missed) listener.receive(entry);
  const stopBeat = heartbeat(() => open.beat());
  const stopChecks = checkEverySecond(() => {
    parts.authenticate(ctx).catch((error) => {
      // A revoked key and an expired token end the stream; a store that cannot be read does not.
      if (error instanceof AppError && error.code === 'unauthenticated') open.close('unauthenticated');
    });
  });
  ctx.res.once('close', () => {
    stop();
    stopBeat();
    stopChecks();
  });
}

function assertCapacity(open: number, max: number, whose: string): void {
  if (open < max) return;
  const message = `${max} streams ${whose} are open, which is the maximum.`;
  throw new AppError('busy', message, { retryAfterSeconds: RETRY_SECONDS });
}

/** Null for a new client; an unknown id is treated as expired. */
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
