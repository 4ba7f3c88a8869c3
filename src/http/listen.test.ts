import { Agent, request } from 'node:http';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
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
  it('says where it listens, and that a port is taken', async () => {
    const app = new Koa<HttpState>();
    const listener = await listen(app, { host: HOST, port: 0 });
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    await expect(listen(app, { host: HOST, port: listener.port })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('another program'),
    });
    await listener.close();
  });

  it('lets requests under way finish before it closes', async () => {
    const { app, started, finish } = slowApp();
    const listener = await listen(app, { host: HOST, port: 0 });
    const answer = get(listener.port);
    await started;
    const closing = listener.close(5_000);
    finish();
    expect(await answer).toBe('done');
    const before = Date.now();
    await closing;
    expect(Date.now() - before).toBeLessThan(1_000);
  });

  it('cuts off what takes longer than the grace', async () => {
    const { app, started } = slowApp();
    const listener = await listen(app, { host: HOST, port: 0 });
    const answer = get(listener.port).catch((error: NodeJS.ErrnoException) => error.code);
    await started;
    await listener.close(20);
    expect(await answer).toBe('ECONNRESET');
  });
});

/** Answers once `finish` is called. */
function slowApp() {
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const app = new Koa<HttpState>();
  app.use(async (ctx) => {
    begun.resolve();
    await done.promise;
    ctx.body = 'done';
  });
  return { app, started: begun.promise, finish: done.resolve };
}
