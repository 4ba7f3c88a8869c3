import {
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  gunzipSync,
  type Inflate,
  type InflateRaw,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import { AppError } from '../core/app-error.ts';

export type ContentCoding = 'identity' | 'gzip' | 'deflate';

const CODINGS: Readonly<Record<string, ContentCoding>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
};

/** Null for a coding that we do not unpack. */
export function codingOf(contentEncoding: string | undefined): ContentCoding | null {
  return CODINGS[(contentEncoding ?? '').trim().toLowerCase()] ?? null;
}

const CHUNK = { chunkSize: 64 * 1024 };

/** @param start the first bytes: some senders of `deflate` leave the zlib header off, which RFC 9110 notes */
export function createUnpacker(coding: 'gzip' | 'deflate', start: Buffer): Gunzip | Inflate | InflateRaw {
  if (coding === 'gzip') return createGunzip(CHUNK);
  return hasZlibHeader(start) ? createInflate(CHUNK) : createInflateRaw(CHUNK);
}

/** The unpacked body; null where it is larger than `maxBytes`. @throws AppError `malformed` */
export function tryUnpackAtOnce(coding: 'gzip' | 'deflate', body: Buffer, maxBytes: number): Buffer | null {
  const options = { ...CHUNK, maxOutputLength: maxBytes };
  try {
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
  return new AppError('malformed', 'The body cannot be unpacked as its Content-Encoding says.');
}
