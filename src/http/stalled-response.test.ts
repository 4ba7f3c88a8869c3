import { get, type Server } from 'node:http';
import { connect } from 'node:net';
import Koa from 'koa';
import { describe, expect, it, vi } from 'vitest';
import type { HttpState } from './http-context.ts';
import { listen } from './listen.ts';
import { stalledResponseMiddleware } from './stalled-response.ts';

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

/** Bytes of a response that is read completely. */
function sizeOfAnswer(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = get({ port, host: '127.0.0.1', agent: false }, (incoming) => {
      let bytes = 0;
      incoming
        .on('data', (chunk) => (bytes += chunk.length))
        .on('end', () => resolve(bytes))
        .on('error', reject);
    });
    outgoing.on('error', reject);
  });
}

describe('stalledResponseMiddleware', () => {
  it('disconnects a client that requests a large response and reads nothing', async () => {
    const app = new Koa<HttpState>();
    // Long enough that a slow machine does not stall the reading client.
    app.use(stalledResponseMiddleware(3_000));
    app.use((ctx) => {
      ctx.body = Buffer.alloc(64 * 1024 * 1024);
    });
    const { server, port, close } = await listen(app, { host: '127.0.0.1', port: 0 });
    const silent = connect(port, '127.0.0.1').pause();
    silent.on('error', () => {});
    silent.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(1));
    expect(await sizeOfAnswer(port)).toBe(64 * 1024 * 1024);
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0), 60_000);
    silent.destroy();
    await close(0);
  });
});
