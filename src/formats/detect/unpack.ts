import { gunzipSync } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';

/** Gzip within gzip occurs (a stored upload that was sent compressed); deeper nesting is an attack. */
const MAX_LAYERS = 2;

export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/**
 * The body without its gzip layers.
 * @throws AppError `malformed` for broken gzip, `payload_too_large` if the result is larger than `maxBytes`
 */
export function unpack(body: Buffer, maxBytes: number): Buffer {
  let unpacked = body;
  for (let layer = 0; layer < MAX_LAYERS && isGzip(unpacked); layer += 1) unpacked = gunzip(unpacked, maxBytes);
  if (isGzip(unpacked)) throw new AppError('malformed', `The input is compressed more than ${MAX_LAYERS} times.`);
  return unpacked;
}

function gunzip(body: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new AppError('payload_too_large', `The input decompresses to more than ${maxBytes} bytes.`);
    }
    throw new AppError('malformed', 'The input is broken gzip.');
  }
}
