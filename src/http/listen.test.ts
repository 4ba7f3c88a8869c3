import type { Server } from 'node:http';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import Koa from 'koa';
import { describe, expect, it, vi } from 'vitest';
import type { HttpState } from './http-context.ts';
import { listen } from './listen.ts';

const HOST = '127.0.0.1';

function get(port: number): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: HOST, port, agent }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('listen', () => {
  it('reports its URL, and that a port is in use', async () => {
    const app = new Koa<HttpState>();
    const listener = await listen(app, { host: HOST, port: 0 });
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    await expect(listen(app, { host: HOST, port: listener.port })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another program'),
    });
    await listener.close();
  });

  it('finishes running requests before it closes', async () => {
    const { app, started, finish } = slowApp();
    const listener = await listen(app, { host: HOST, port: 0 });
    const answer = get(listener.port);
    await started;
    // Longer than the test timeout: closing must not wait this long after the last response.
    const closing = listener.close(3_600_000);
    finish();
    expect(await answer).toBe('done');
    await closing;
  });

  it('sends `Connection: close` to clients with running responses', async () => {
    const { app, started, finish } = slowApp();
    const listener = await listen(app, { host: HOST, port: 0 });
    const answer = sendRaw(listener.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await started;
    const closing = listener.close(5_000);
    finish();
    expect(await answer).toMatch(/Connection: close/);
    await closing;
  });

  it('answers requests that arrive on open connections just after the close began', async () => {
    const app = new Koa<HttpState>();
    app.use((ctx) => {
      ctx.body = 'done';
    });
    const listener = await listen(app, { host: HOST, port: 0 });
    const socket = connect(listener.port, HOST);
    let received = '';
    socket.on('data', (chunk) => (received += chunk));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(received).toContain('done'));
    const closing = listener.close(5_000);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await closing;
    expect(received.match(/200 OK/g)).toHaveLength(2);
    expect(received).toMatch(/Connection: close/);
  });

  it('does not wait for connections that never sent a byte', async () => {
    const listener = await listen(new Koa<HttpState>(), { host: HOST, port: 0 });
    const silent = connect(listener.port, HOST);
    await vi.waitFor(async () => expect(await openConnections(listener.server)).toBe(1));
    await listener.close(600_000);
    silent.destroy();
  });

  it('aborts requests that exceed the grace period', async () => {
    const { app, started } = slowApp();
    const listener = await listen(app, { host: HOST, port: 0 });
    const answer = get(listener.port).catch((error: NodeJS.ErrnoException) => error.code);
    await started;
    await listener.close(20);
    expect(await answer).toBe('ECONNRESET');
  });
});

/** Sends text and never closes its side. @returns what the server sends until it closes */
function sendRaw(port: number, text: string, reads = true): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST, allowHalfOpen: true });
    let received = '';
    socket.on('connect', () => socket.write(text));
    if (reads) socket.on('data', (chunk) => (received += chunk));
    socket.on('end', () => resolve(received));
    socket.on('close', () => resolve(received));
    socket.on('error', () => resolve(received));
  });
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('limits on connections', () => {
  const connectionLimits = { headersMs: 100, requestMs: 200, checkMs: 20, lingerMs: 50 };

  it.each([
    ['half a header', 'POST / HTTP/1.1\r\nHost: a\r\nX-A: b', 408, true],
    ['half a header', 'POST / HTTP/1.1\r\nHost: a\r\nX-A: b', null, false],
    ['no byte', '', 408, true],
    ['no HTTP', 'NONSENSE\r\n\r\n', 400, true],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`, 431, true],
  ])('%s is refused and its half-open connection destroyed', async (_name, text, status, reads) => {
    const listener = await listen(new Koa<HttpState>(), { host: HOST, port: 0, connectionLimits });
    const answer = sendRaw(listener.port, text, reads);
    await vi.waitFor(async () => expect(await openConnections(listener.server)).toBe(1));
    await vi.waitFor(async () => expect(await openConnections(listener.server)).toBe(0), 10_000);
    if (status !== null)
      expect(await answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Connection: close.*"status":${status}`, 's'));
    await listener.close(0);
  });

  it('refuses connections above the limit of a peer and above the total limit', async () => {
    const listener = await listen(new Koa<HttpState>(), {
      host: HOST,
      port: 0,
      connectionLimits: { connectionsPerPeer: 2 },
    });
    const kept = [connect(listener.port, HOST), connect(listener.port, HOST)];
    await vi.waitFor(async () => expect(await openConnections(listener.server)).toBe(2));
    expect(await sendRaw(listener.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
    for (const socket of kept) socket.destroy();
    await vi.waitFor(async () => expect(await openConnections(listener.server)).toBe(0));
    expect(await sendRaw(listener.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 404/,
    );
    await listener.close(0);
  });
});

/** Answers once `finish` is called. */
function slowApp() {
  const firstRequest = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const app = new Koa<HttpState>();
  app.use(async (ctx) => {
    firstRequest.resolve();
    await done.promise;
    ctx.body = 'done';
  });
  return { app, started: firstRequest.promise, finish: done.resolve };
}
