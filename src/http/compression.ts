import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { HttpMiddleware } from './http-context.ts';

/** Shorter answers gain nothing. */
const LEAST_BYTES = 1024;
/** Sent as they are made: a compressor would hold them back. */
const STREAMED = /^text\/event-stream\b/;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|x-ndjson|javascript|xml)\b|image\/svg\+xml)/;

/** Above these levels an answer takes longer to make than it saves on a fast line. */
const COMPRESSORS = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 6 }),
};

/**
 * Compresses answers for clients that accept it, in the thread pool of zlib. Answers to requests that change something
 * are left alone: some hold a fresh secret beside text that the caller chose, and their length would tell of the secret
 * (BREACH). What is read holds no secrets in full.
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
    // Its length when compressed is not known, and that of the text would be wrong.
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
  return (typeof body === 'string' || Buffer.isBuffer(body)) && Buffer.byteLength(body) > LEAST_BYTES;
}
