import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { postBody } from './post-body.ts';

let server: Server;
afterEach(() => void server.close());

async function addressOf(listening: Server, scheme = 'http'): Promise<string> {
  server = listening.listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const post = (address: string, body = Buffer.from('{}'), timeoutMs = 5_000) =>
  postBody({ url: new URL(address), headers: { 'x-svc-api-key': 'mst_1' }, body, timeoutMs });
const serve = (listener: RequestListener) => addressOf(createServer(listener));

describe('a POST over a bare socket', () => {
  it('sends requests that Node’s server parses', async () => {
    const seen: unknown[] = [];
    const address = await serve(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { host, 'content-length': length, 'x-svc-api-key': key, authorization } = request.headers;
      seen.push([request.method, request.url, host, length, key, authorization, Buffer.concat(parts).length]);
      response.end('taken');
    });
    const body = Buffer.alloc(3_000_000, 'é');
    const { host } = new URL(address);
    const answer = await post(`http://me:p%40ss@${host}/base/path?q=1`, body);
    expect({ ...answer, body: answer.body.toString() }).toEqual({ status: 200, body: 'taken' });
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(seen).toEqual([['POST', '/base/path?q=1', host, String(body.length), 'mst_1', basic, body.length]]);
  });

  it('reads a response that arrives byte by byte', async () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
    const address = await addressOf(
      createTcpServer((socket) => {
        socket.setNoDelay(true).once('data', async () => {
          for (const letter of text) {
            socket.write(letter);
            await new Promise(setImmediate);
          }
        });
        socket.on('error', () => {});
      }),
    );
    expect((await post(address)).body.toString()).toBe('{}');
  });

  it('does not follow elsewhere', async () => {
    const paths: unknown[] = [];
    const address = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/there' }).end();
    });
    expect((await post(address)).status).toBe(307);
    expect(paths).toEqual(['/']);
  });

  it('waits no longer than it may', async () => {
    const address = await addressOf(createTcpServer((socket) => void socket.on('error', () => {})));
    await expect(post(address, Buffer.from('{}'), 50)).rejects.toThrow('no response within 50 ms');
  });

  it.each<[string, string, string]>([
    ['ends at once', '', 'closed before'],
    ['speaks otherwise', 'hello\r\n\r\n', 'not HTTP'],
    ['stops halfway', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'closed before'],
  ])('fails where the other side %s', async (_name, text, message) => {
    const address = await addressOf(
      createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(text))),
    );
    await expect(post(address)).rejects.toThrow(message);
  });

  it('fails if no server listens', async () => {
    const address = await addressOf(createTcpServer());
    await new Promise((closed) => server.close(closed));
    await expect(post(address)).rejects.toThrow('ECONNREFUSED');
  });

  it('fails for an https server with an untrusted certificate', async () => {
    const address = await addressOf(
      createTlsServer(() => {}),
      'https',
    );
    await expect(post(address)).rejects.toThrow();
  });

  it('rejects header values with line breaks', async () => {
    const headers = { 'x-svc-api-key': 'mst_1\r\nx-other: 1' };
    const url = new URL('http://127.0.0.1:9');
    server = createTcpServer();
    await expect(postBody({ url, headers, body: Buffer.alloc(0), timeoutMs: 1_000 })).rejects.toThrow('x-svc-api-key');
  });
});
