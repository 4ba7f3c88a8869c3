import { createCipheriv } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppError } from '../core/app-error.ts';
import { createBodyReader } from './body-reader.ts';

const KIB = 1024;
const limits = { maxSentBytes: 512 * KIB, maxUnpackedBytes: 1024 * KIB };
const bodyArrival = { idleMs: 300, graceMs: 60_000, minBytesPerSecond: 1 };
/** Resolved to release requests with `X-Hold`. */
const holding = Promise.withResolvers<void>();
const bodies = createBodyReader({ maxBytesInFlight: 2400 * KIB, bodyArrival });

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      const size = await bodies.withBody(request, String(request.headers['x-holder'] ?? 'a'), limits, async (body) => {
        if (request.headers['x-hold']) await holding.promise;
        return body.length;
      });
      response.end(`200 ${size}`);
    } catch (error) {
      response.end((error as AppError).code);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

function post(body: Buffer | Iterable<Buffer>, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const outgoing = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers }, (incoming: IncomingMessage) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    if (Buffer.isBuffer(body)) outgoing.setHeader('Content-Length', body.length);
    for (const chunk of Buffer.isBuffer(body) ? [body] : body) outgoing.write(chunk);
    outgoing.end();
  });
}

const text = (size: number) => Buffer.alloc(size, 'some words to compress ');
/** Incompressible bytes, the same each time. */
const noise = (size: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(size));
const inPieces = (body: Buffer, size = 1000) =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size));
const gzip = { 'Content-Encoding': 'gzip' };
const deflate = { 'Content-Encoding': 'deflate' };
const zstd = { 'Content-Encoding': 'zstd' };

describe('withBody', () => {
  it.each<[string, Buffer | Iterable<Buffer>, Record<string, string>, string]>([
    ['nothing', Buffer.alloc(0), {}, '200 0'],
    ['a plain body', text(5000), {}, '200 5000'],
    ['a chunked body', inPieces(text(5000)), {}, '200 5000'],
    ['identity by name', text(5000), { 'Content-Encoding': 'identity' }, '200 5000'],
    ['gzip', gzipSync(text(5000)), gzip, '200 5000'],
    ['gzip under its old name', gzipSync(text(5000)), { 'Content-Encoding': 'X-GZIP' }, '200 5000'],
    ['chunked gzip', inPieces(gzipSync(text(5000)), 7), gzip, '200 5000'],
    ['large gzip', gzipSync(noise(300 * KIB)), gzip, `200 ${300 * KIB}`],
    ['an empty body labelled gzip', Buffer.alloc(0), gzip, '200 0'],
    ['deflate', deflateSync(text(5000)), deflate, '200 5000'],
    ['chunked deflate', inPieces(deflateSync(text(5000)), 7), deflate, '200 5000'],
    ['deflate without header', deflateRawSync(text(5000)), deflate, '200 5000'],
    ['zstd', zstdCompressSync(text(5000)), zstd, '200 5000'],
    ['large zstd', zstdCompressSync(noise(300 * KIB)), zstd, `200 ${300 * KIB}`],
    ['cut zstd', zstdCompressSync(noise(5000)).subarray(0, 3000), zstd, 'malformed'],
    ['an uncompressed body labelled zstd', text(10), zstd, 'malformed'],
    [
      'zstd that exceeds the limit when decompressed',
      zstdCompressSync(text(1024 * KIB + 1)),
      zstd,
      'payload_too_large',
    ],
    ['another coding', text(10), { 'Content-Encoding': 'br' }, 'unsupported_media_type'],
    ['two codings', text(10), { 'Content-Encoding': 'gzip, gzip' }, 'unsupported_media_type'],
    ['an uncompressed body labelled gzip', text(10), gzip, 'malformed'],
    ['a chunked uncompressed body labelled gzip', inPieces(text(5000)), gzip, 'malformed'],
    ['cut gzip', gzipSync(text(5000)).subarray(0, 20), gzip, 'malformed'],
    ['cut chunked gzip', inPieces(gzipSync(noise(5000)).subarray(0, 3000)), gzip, 'malformed'],
    ['the maximum sent size', text(512 * KIB), {}, `200 ${512 * KIB}`],
    ['more than the maximum sent size', text(512 * KIB + 1), {}, 'payload_too_large'],
    ['more than the maximum sent size, chunked', inPieces(text(512 * KIB + 1), 64 * KIB), {}, 'payload_too_large'],
    ['the maximum decompressed size', gzipSync(text(1024 * KIB)), gzip, `200 ${1024 * KIB}`],
    ['more than the maximum decompressed size', gzipSync(text(1024 * KIB + 1)), gzip, 'payload_too_large'],
    [
      'more than the maximum decompressed size, chunked',
      inPieces(gzipSync(text(1024 * KIB + 1))),
      gzip,
      'payload_too_large',
    ],
  ])('reads %s', async (_name, body, headers, expected) => {
    expect(await post(body, headers)).toBe(expected);
    expect(bodies.bytesInFlight()).toBe(0);
  });

  const large = (holder: string) => post(text(512 * KIB), { 'X-Hold': '1', 'X-Holder': holder });

  it('rejects a sender that holds three quarters with 503 and accepts another', async () => {
    const held = [large('a'), large('a'), large('a')];
    await vi.waitFor(() => expect(bodies.bytesInFlight()).toBe(1536 * KIB));
    expect(await large('a')).toBe('backpressure');
    expect(await post(text(256 * KIB), { 'X-Holder': 'b' })).toBe(`200 ${256 * KIB}`);
    holding.resolve();
    expect(await Promise.all(held)).toEqual(Array(3).fill(`200 ${512 * KIB}`));
    expect(bodies.bytesInFlight()).toBe(0);
  });

  /** Sends the headers and the bytes but never ends the body. */
  function neverEnding(bytes: Buffer, headers: Record<string, string>): { socket: Socket; answer: Promise<string> } {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const lines = Object.entries({ Host: 'x', 'Transfer-Encoding': 'chunked', ...headers });
    socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]));
    const answer = new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
    });
    return { socket, answer };
  }

  it('counts only the sent bytes of an unfinished compressed body, and aborts it', async () => {
    const packed = gzipSync(text(1024 * KIB));
    const some = Array.from({ length: 20 }, () => neverEnding(packed, gzip));
    await vi.waitFor(() => expect(bodies.bytesInFlight()).toBe(20 * packed.length));
    expect(await post(gzipSync(text(700 * KIB)), { ...gzip, 'X-Holder': 'b' })).toBe(`200 ${700 * KIB}`);
    for (const { answer } of some) expect(await answer).toContain('request_timeout');
    expect(bodies.bytesInFlight()).toBe(0);
  }, 30_000);

  it('drains the rest of a rejected body, and closes the connection if it never ends', async () => {
    const { answer } = neverEnding(text(600 * KIB), {});
    expect(await answer).toContain('payload_too_large');
  }, 30_000);
});
