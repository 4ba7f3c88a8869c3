import { createCipheriv } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../core/app-error.ts';
import { createBodyReader } from './body-reader.ts';

const KIB = 1024;
const limits = { maxSentBytes: 512 * KIB, maxUnpackedBytes: 1024 * KIB };
const bodies = createBodyReader({ maxBytesInFlight: 1536 * KIB });

let server: Server;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      const size = await bodies.withBody(request, limits, async (body) => {
        if (request.headers['x-hold']) await new Promise((resolve) => setTimeout(resolve, 200));
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

const text = (size: number) => Buffer.alloc(size, 'some words to pack ');
/** Bytes that do not pack, the same each time. */
const noise = (size: number) =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(size));
const inPieces = (body: Buffer, size = 1000) =>
  Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size));
const gzip = { 'Content-Encoding': 'gzip' };
const deflate = { 'Content-Encoding': 'deflate' };

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
    ['nothing, called gzip', Buffer.alloc(0), gzip, '200 0'],
    ['deflate', deflateSync(text(5000)), deflate, '200 5000'],
    ['chunked deflate', inPieces(deflateSync(text(5000)), 7), deflate, '200 5000'],
    ['deflate without header', deflateRawSync(text(5000)), deflate, '200 5000'],
    ['another coding', text(10), { 'Content-Encoding': 'br' }, 'unsupported_media_type'],
    ['two codings', text(10), { 'Content-Encoding': 'gzip, gzip' }, 'unsupported_media_type'],
    ['a plain body called gzip', text(10), gzip, 'malformed'],
    ['a chunked plain body called gzip', inPieces(text(5000)), gzip, 'malformed'],
    ['cut gzip', gzipSync(text(5000)).subarray(0, 20), gzip, 'malformed'],
    ['cut chunked gzip', inPieces(gzipSync(noise(5000)).subarray(0, 3000)), gzip, 'malformed'],
    ['as much as is sent', text(512 * KIB), {}, `200 ${512 * KIB}`],
    ['more than may be sent', text(512 * KIB + 1), {}, 'payload_too_large'],
    ['more than may be sent, chunked', inPieces(text(512 * KIB + 1), 64 * KIB), {}, 'payload_too_large'],
    ['as much as may be unpacked', gzipSync(text(1024 * KIB)), gzip, `200 ${1024 * KIB}`],
    ['more than may be unpacked', gzipSync(text(1024 * KIB + 1)), gzip, 'payload_too_large'],
    ['more than may be unpacked, chunked', inPieces(gzipSync(text(1024 * KIB + 1))), gzip, 'payload_too_large'],
  ])('meets %s', async (_name, body, headers, expected) => {
    expect(await post(body, headers)).toBe(expected);
    expect(bodies.bytesInFlight()).toBe(0);
  });

  it('asks senders to come back when too much is held', async () => {
    const large = () => post(text(512 * KIB), { 'X-Hold': '1' });
    const answers = await Promise.all([large(), large(), large(), large()]);
    expect(answers.filter((answer) => answer === 'backpressure')).toHaveLength(1);
    expect(bodies.bytesInFlight()).toBe(0);
  });
});
