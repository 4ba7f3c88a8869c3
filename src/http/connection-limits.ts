import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection may stay in each state, and how many connections are allowed. */
export interface ConnectionLimits {
  /** Until all request headers have arrived. */
  headersMs: number;
  /** Until a whole request has arrived. */
  requestMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** Interval of the checks of the limits above. */
  checkMs: number;
  /** Until a client that neither closes nor reads is disconnected after an error response. */
  lingerMs: number;
  /** Without any byte of a response being read. */
  stalledResponseMs: number;
  connections: number;
  /** Per address; a proxy on this machine is one address. */
  connectionsPerPeer: number;
}

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 30_000,
  requestMs: 900_000,
  // Longer than the minute for which load balancers and exporters keep a connection, so that they close it, not the server.
  keepAliveMs: 75_000,
  checkMs: 2_000,
  lingerMs: 1_000,
  stalledResponseMs: 60_000,
  connections: 10_000,
  connectionsPerPeer: 5_000,
};

/** Rejects connections from an address that has too many, so that it cannot take all of them. */
export function limitPeers(server: Server, maxOfPeer: number): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const count = (counts.get(peer) ?? 0) + 1;
    counts.set(peer, count);
    socket.once('close', () => {
      const remaining = (counts.get(peer) ?? 1) - 1;
      if (remaining > 0) counts.set(peer, remaining);
      else counts.delete(peer);
    });
    if (count > maxOfPeer) socket.destroy();
  });
}
