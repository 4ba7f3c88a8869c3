import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { HttpMiddleware } from './http-context.ts';

/** Shorter responses gain nothing. */
const MIN_BYTES = 1024;
/** Sent as they are produced: a compressor would buffer them. */
const STREAMED = /^text\/event-stream\b/;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|x-ndjson|javascript|xml)\b|image\/svg\+xml)/;

/** Above these levels compression takes longer than it saves on a fast line. */
const COMPRESSORS = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 6 }),
};

/**
 * Compresses responses for clients that accept it, on zlib's thread pool. Responses to requests that change something
 * are not compressed: some hold a new secret next to text that the caller chose, and their length would leak the secret
 * (BREACH). Responses to reads never hold a complete secret.
 */
export const compression: HttpMiddleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  if (
    !isCompressible(ctx.response.get('Content-Type') ?? '', body) ||
    ctx.response.headers['content-encoding'] !== undefined
  )
    return;
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status === 304) return;
  ctx.vary('Accept-Encoding');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return;
  ctx.set('Content-Encoding', encoding);
  if (ctx.method === 'HEAD') {
    // The compressed length is unknown, and that of the text would be wrong.
    ctx.body = Readable.from([]);
    ctx.remove('Content-Length');
    return;
  }
  const packer = COMPRESSORS[encoding]();
  const source = body instanceof Readable ? body : Readable.from([body]);
  source.on('error', (error) => packer.destroy(error));
  packer.on('close', () => source.destroy());
  ctx.body = source.pipe(packer);
  ctx.remove('Content-Length');
};

function isCompressible(type: string, body: unknown): boolean {
  if (STREAMED.test(type) || !COMPRESSIBLE.test(type)) return false;
  if (body instanceof Readable) return true;
  return (typeof body === 'string' || Buffer.isBuffer(body)) && Buffer.byteLength(body) > MIN_BYTES;
}
