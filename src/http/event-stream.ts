import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../core/json.ts';

/** Milliseconds that a client waits before it reconnects. */
const RETRY_MS = 3_000;
/** A client that leaves this much unread is disconnected; it may reconnect and request what it missed. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** One open stream of server-sent events (WHATWG HTML, 9.2). */
export interface EventStream {
  send(event: string, data: JsonObject, id?: number): void;
  /** A comment, which keeps proxies from closing an idle stream. */
  beat(): void;
  /** The last event, `closing`, contains the reason; then the connection ends. */
  close(reason: ClosingReason): void;
}

/** `shutdown`: reconnect after `retry`. `unauthenticated`: the credential is no longer valid. */
export type ClosingReason = 'shutdown' | 'unauthenticated';

/** @param onDropped called if the client is too slow */
export function openEventStream(response: ServerResponse, onDropped: () => void): EventStream {
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength <= MAX_UNREAD_BYTES) return;
    onDropped();
    response.destroy();
  };
  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send: (event, data, id) =>
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': still here\n\n'),
    close(reason) {
      write(`event: closing\nretry: ${RETRY_MS}\ndata: ${JSON.stringify({ reason })}\n\n`);
      response.end();
    },
  };
}
