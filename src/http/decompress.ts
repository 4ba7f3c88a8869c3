import type { Transform } from 'node:stream';
import {
  constants,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { AppError } from '../core/app-error.ts';

export type ContentCoding = 'identity' | 'gzip' | 'deflate' | 'zstd';
type Packed = Exclude<ContentCoding, 'identity'>;

const CODINGS: Readonly<Record<string, ContentCoding>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  zstd: 'zstd',
};

/** Null for an unsupported coding. */
export function contentCodingOf(contentEncoding: string | undefined): ContentCoding | null {
  const name = (contentEncoding ?? '').trim().toLowerCase();
  return Object.hasOwn(CODINGS, name) ? CODINGS[name]! : null;
}

const CHUNK = { chunkSize: 64 * 1024 };
/** RFC 9659: a window of at most 8 MiB for zstd as a content coding, so that a sender cannot request gigabytes. */
const ZSTD = { ...CHUNK, params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** @param start the first bytes: some senders of `deflate` omit the zlib header, which RFC 9110 notes */
export function createDecompressor(coding: Packed, start: Buffer): Transform {
  if (coding === 'zstd') return createZstdDecompress(ZSTD);
  if (coding === 'gzip') return createGunzip(CHUNK);
  return hasZlibHeader(start) ? createInflate(CHUNK) : createInflateRaw(CHUNK);
}

/** The decompressed body; null if it is larger than `maxBytes`. @throws AppError `malformed` */
export function tryDecompressSync(coding: Packed, body: Buffer, maxBytes: number): Buffer | null {
  const options = { ...CHUNK, maxOutputLength: maxBytes };
  try {
    if (coding === 'zstd') return zstdDecompressSync(body, { ...ZSTD, maxOutputLength: maxBytes });
    if (coding === 'gzip') return gunzipSync(body, options);
    return hasZlibHeader(body) ? inflateSync(body, options) : inflateRawSync(body, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw corrupt();
  }
}

function hasZlibHeader(start: Buffer): boolean {
  return start.length >= 2 && (start[0]! & 0x0f) === 8 && start.readUInt16BE(0) % 31 === 0;
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
}

export function corrupt(): AppError {
  return new AppError('malformed', 'The body cannot be decompressed with its Content-Encoding.');
}
