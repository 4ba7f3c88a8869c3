import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import { isGzip } from '../../formats/detect/unpack.ts';

/** Maximum decompressed size of a compressed file. */
export const MAX_UNPACKED_BYTES = 1_000_000_000;
/** Enough to detect the layout of a file. */
const HEAD_BYTES = 256 * 1024;
const MAX_LAYERS = 2;
const CHUNK_BYTES = 256 * 1024;

export interface FileHead {
  /** Decompressed. */
  bytes: Buffer;
  /** There is no more data. */
  isAll: boolean;
}

/** A file that is decompressed while it is read; it is not buffered. */
export interface FileReading {
  /** The decompressed bytes from `offset`. @throws AppError `malformed` for invalid gzip, `payload_too_large` */
  chunks(offset: number): AsyncGenerator<Buffer>;
  /** Position in the stored file for a decompressed offset; a compressed one is read slightly ahead. */
  bytesDone(offset: number): number;
}

export async function readHead(path: string): Promise<FileHead> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of openReading(path).chunks(0)) {
    parts.push(chunk);
    size += chunk.length;
    if (size > HEAD_BYTES) return { bytes: Buffer.concat(parts), isAll: false };
  }
  return { bytes: Buffer.concat(parts), isAll: true };
}

/** The whole decompressed file. @throws AppError `payload_too_large` if it exceeds `maxBytes` */
export async function readAll(reading: FileReading, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of reading.chunks(0)) {
    size += chunk.length;
    if (size > maxBytes) throw new AppError('payload_too_large', notSplit(maxBytes));
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function notSplit(maxBytes: number): string {
  return `A file of this format is read as a whole, and may then unpack to at most ${maxBytes} bytes; split it.`;
}

export function openReading(path: string): FileReading {
  let file: ReadStream | null = null;
  let isPacked = false;

  async function* chunks(offset: number): AsyncGenerator<Buffer> {
    isPacked = isGzip(await firstBytes(path));
    file = createReadStream(path, { highWaterMark: CHUNK_BYTES, start: isPacked ? 0 : offset });
    if (!isPacked) return yield* file as AsyncIterable<Buffer>;
    let behind = 0;
    for await (const chunk of unpacked(file)) {
      const skipped = Math.max(0, Math.min(chunk.length, offset - behind));
      behind += chunk.length;
      if (behind > MAX_UNPACKED_BYTES)
        throw new AppError('payload_too_large', `The decompressed file has more than ${MAX_UNPACKED_BYTES} bytes.`);
      if (skipped < chunk.length) yield chunk.subarray(skipped);
    }
  }

  return { chunks, bytesDone: (offset) => (isPacked ? (file?.bytesRead ?? 0) : offset) };
}

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Removes nested gzip layers. */
async function* unpacked(packed: AsyncIterable<Buffer>, layer = 1): AsyncGenerator<Buffer> {
  const inner = gunzipped(packed);
  const first = await inner.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* inner;
  })();
  if (!isGzip(first.value)) return yield* all;
  if (layer >= MAX_LAYERS) throw new AppError('malformed', `The file is compressed more than ${MAX_LAYERS} times.`);
  yield* unpacked(all, layer + 1);
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const feeding = (async () => {
    for await (const chunk of packed) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(chunk)) await new Promise<void>((next) => gunzip.once('drain', next).once('close', next));
    }
    gunzip.end();
  })().catch((error: Error) => void gunzip.destroy(error));
  try {
    yield* gunzip as AsyncIterable<Buffer>;
    await feeding;
  } catch (error) {
    const isCorrupt = String((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');
    throw isCorrupt ? new AppError('malformed', 'The file is not valid gzip.') : error;
  } finally {
    gunzip.destroy();
  }
}
