import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { AppError } from '../core/app-error.ts';
import { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS, limitPeers } from './connection-limits.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpState } from './http-context.ts';
import { OpenResponses } from './open-responses.ts';
import { toProblem } from './problem.ts';

export interface Listener {
  /** `http://host:port`, with the assigned port. */
  url: string;
  port: number;
  server: Server;
  /** Accepts no new requests, lets running requests finish for `graceMs`, then closes their connections. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;
const SWEEP_MS = 50;
/** Connections are accepted and served this long after the close began, so that requests in transit are not lost. */
const ACCEPT_WHILE_CLOSING_MS = 250;

export type ListenConfig = Pick<HttpConfig, 'host' | 'port'> & { connectionLimits?: Partial<ConnectionLimits> };

/** @throws AppError `unavailable` if the address cannot be bound */
export function listen(app: Koa<HttpState>, { host, port, connectionLimits }: ListenConfig): Promise<Listener> {
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...connectionLimits };
  const server = createLimitedServer(app, limits);
  const responses = new OpenResponses(server);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message;
      reject(new AppError('unavailable', `Cannot listen on ${host}:${port}: ${why}.`, { cause: error }));
    });
    server.listen(port, host, () => resolve(toListener(server, responses, host)));
  });
}

function createLimitedServer(app: Koa<HttpState>, limits: ConnectionLimits): Server {
  const options = {
    // The host guard answers requests without a Host header with a problem document.
    requireHostHeader: false,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server = createServer(options, app.callback());
  server.maxConnections = limits.connections;
  limitPeers(server, limits.connectionsPerPeer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answerParserError(error, socket, limits.lingerMs),
  );
  return server;
}

const MAX_HEADER_BYTES = 16 * 1024;

function toListener(server: Server, responses: OpenResponses, host: string): Listener {
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    port,
    server,
    close: (graceMs = GRACE_MS) => closeServer(server, responses, graceMs),
  };
}

async function closeServer(server: Server, responses: OpenResponses, graceMs: number): Promise<void> {
  responses.drain();
  // `close` disconnects idle connections, and a request may be in transit on one of them.
  if ((await connectionsOf(server)) > 0) await sleep(Math.min(ACCEPT_WHILE_CLOSING_MS, graceMs / 2));
  return new Promise((resolve) => {
    // A keep-alive connection counts as open until its last response is sent and one side closes it.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      responses.destroyUnused();
    }, SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}

/** Responds to input that Node's parser could not read as HTTP, or not in time, in the format of every other error. */
function answerParserError(thrown: NodeJS.ErrnoException, socket: Socket, lingerMs: number): void {
  if (thrown.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, reason, error } = PARSER_STATUS[thrown.code ?? ''] ?? NO_HTTP;
  const body = JSON.stringify({ ...toProblem(error, '/', randomUUID()), status });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that never closes its side would keep the connection half open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

const NO_HTTP = {
  status: 400,
  reason: 'Bad Request',
  error: new AppError('malformed', 'The HTTP request cannot be parsed.'),
};

const PARSER_STATUS: Readonly<Record<string, typeof NO_HTTP>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    error: new AppError('malformed', `The headers are larger than ${MAX_HEADER_BYTES} bytes.`),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    error: new AppError('request_timeout', 'The request did not arrive in time.'),
  },
};
