import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type Koa from 'koa';
import { AppError } from '../core/app-error.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpState } from './http-context.ts';
import { toProblem } from './problem.ts';

export interface Listener {
  /** `http://host:port`, with the port that was given. */
  url: string;
  port: number;
  server: Server;
  /** Takes no new requests, lets those under way finish for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;
const SWEEP_MS = 50;
/** Longer than the minute for which balancers and exporters keep a connection, so that they close it, not we. */
const KEEP_ALIVE_MS = 75_000;

/** @throws AppError `unavailable` where the address cannot be listened on */
export function listen(app: Koa<HttpState>, { host, port }: Pick<HttpConfig, 'host' | 'port'>): Promise<Listener> {
  // The host guard refuses what names no host, in words of our own.
  const server = createServer({ requireHostHeader: false }, app.callback());
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', answerNoHttp);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program listens there' : error.message;
      reject(new AppError('unavailable', `Cannot listen on ${host}:${port}: ${why}.`, { cause: error }));
    });
    server.listen(port, host, () => resolve(toListener(server, host)));
  });
}

function toListener(server: Server, host: string): Listener {
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    port,
    server,
    close: (graceMs = GRACE_MS) => closeServer(server, graceMs),
  };
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A kept-alive connection counts as open until its last answer is out and somebody closes it.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Answers what Node's parser could not read as HTTP in the same shape as every other error. */
function answerNoHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, reason } = PARSER_STATUS[error.code ?? ''] ?? { status: 400, reason: 'Bad Request' };
  const problem = toProblem(new AppError('malformed', 'This is no HTTP request that can be read.'), '/', randomUUID());
  const body = JSON.stringify({ ...problem, status });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const PARSER_STATUS: Readonly<Record<string, { status: number; reason: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout' },
};
