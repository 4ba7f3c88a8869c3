import type { IncomingMessage } from 'node:http';
import { AppError } from '../core/app-error.ts';
import { joinChunks } from '../core/join-chunks.ts';
import type { BodyLimit } from '../features/_kit/body-limits.ts';
import { BodyBudget, type BodyLease } from './body-budget.ts';
import { type BodySpeedLimits, drainBody, monitorBodySpeed } from './body-speed.ts';
import {
  type ContentCoding,
  contentCodingOf,
  corrupt,
  createDecompressor,
  tooLarge,
  tryDecompressSync,
} from './decompress.ts';
import type { HttpConfig } from './http-config.ts';

export interface BodyLimits {
  maxSentBytes: number;
  maxUnpackedBytes: number;
}

/** A route's own limit, capped by the server's limit. */
export function toBodyLimits(
  { maxBytes }: Pick<BodyLimit, 'maxBytes'>,
  { maxSentBytes, maxUnpackedBytes }: BodyLimits,
): BodyLimits {
  return { maxSentBytes: Math.min(maxBytes, maxSentBytes), maxUnpackedBytes: Math.min(maxBytes, maxUnpackedBytes) };
}

export interface BodyReader {
  /**
   * Reads and decompresses a body, and counts its bytes against the holder's share until `use` is done. A compressed body is
   * decompressed once it is complete, so that an unfinished one holds only what its sender sent. A rejected body is drained.
   * @param holder tenant or address whose share is used
   * @throws AppError `payload_too_large`, `unsupported_media_type`, `malformed`, `backpressure`, `request_timeout`
   */
  withBody<Result>(
    request: IncomingMessage,
    holder: string,
    limits: BodyLimits,
    use: (body: Buffer) => Promise<Result>,
  ): Promise<Result>;
  bytesInFlight(): number;
}

/** Decompressed synchronously up to this size, where a stream costs more than the work. */
const SMALL_BYTES = 512 * 1024;
const MAX_SMALL_PACKED_BYTES = 64 * 1024;

export function createBodyReader({
  maxBytesInFlight,
  bodyArrival,
}: Pick<HttpConfig, 'maxBytesInFlight' | 'bodyArrival'>): BodyReader {
  const budget = new BodyBudget(maxBytesInFlight);

  return {
    async withBody(request, holder, limits, use) {
      const lease = budget.lease(holder);
      try {
        return await use(await read(request, limits, lease, bodyArrival));
      } catch (error) {
        drainBody(request);
        throw error;
      } finally {
        lease.release();
      }
    },
    bytesInFlight: () => budget.heldBytes,
  };
}

async function read(
  request: IncomingMessage,
  { maxSentBytes, maxUnpackedBytes }: BodyLimits,
  lease: BodyLease,
  arrival: BodySpeedLimits,
): Promise<Buffer> {
  const coding = contentCodingOf(request.headers['content-encoding']);
  if (coding === null)
    throw new AppError('unsupported_media_type', 'The Content-Encoding must be identity, gzip, deflate or zstd.');
  const maxBytes = coding === 'identity' ? Math.min(maxSentBytes, maxUnpackedBytes) : maxSentBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const sent = new Sink(lease, maxBytes);
  await collect(request, sent, arrival);
  const body = await sent.finish();
  return coding === 'identity' || body.length === 0 ? body : unpack(coding, body, maxUnpackedBytes, lease);
}

async function unpack(
  coding: Exclude<ContentCoding, 'identity'>,
  packed: Buffer,
  maxBytes: number,
  lease: BodyLease,
): Promise<Buffer> {
  const small =
    packed.length <= MAX_SMALL_PACKED_BYTES ? tryDecompressSync(coding, packed, Math.min(SMALL_BYTES, maxBytes)) : null;
  if (small !== null) lease.hold(small.length);
  const body = small ?? (await unpackAsStream(coding, packed, new Sink(lease, maxBytes)));
  lease.release(packed.length);
  return body;
}

/** Collects the chunks of one body up to a limit, and counts them. */
class Sink {
  readonly #chunks: Buffer[] = [];
  readonly #lease: BodyLease;
  readonly #maxBytes: number;
  #size = 0;

  constructor(lease: BodyLease, maxBytes: number) {
    this.#lease = lease;
    this.#maxBytes = maxBytes;
  }

  /** @throws AppError `payload_too_large`, `backpressure` */
  push(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#lease.hold(chunk.length);
    this.#chunks.push(chunk);
  }

  finish(): Promise<Buffer> {
    return joinChunks(this.#chunks, this.#size);
  }
}

function collect(request: IncomingMessage, sink: Sink, arrival: BodySpeedLimits): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWatch = monitorBodySpeed(request, arrival, (error) => stop(error));
    const stop = (error: unknown) => {
      stopWatch();
      request.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        sink.push(chunk);
      } catch (error) {
        stop(error);
      }
    };
    request.on('data', onData);
    request.once('end', () => {
      stopWatch();
      resolve();
    });
    request.once('error', stop);
    request.once('close', () => {
      stopWatch();
      if (!request.complete) stop(incompleteBody());
    });
  });
}

/** Off the event loop; stops as soon as the limit is exceeded. */
function unpackAsStream(coding: Exclude<ContentCoding, 'identity'>, packed: Buffer, sink: Sink): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const unpacker = createDecompressor(coding, packed);
    unpacker.on('data', (chunk: Buffer) => {
      try {
        sink.push(chunk);
      } catch (error) {
        unpacker.destroy();
        reject(error);
      }
    });
    unpacker.once('end', () => resolve(sink.finish()));
    unpacker.once('error', () => reject(corrupt()));
    unpacker.end(packed);
  });
}

function incompleteBody(): AppError {
  return new AppError('malformed', 'The body ended before it was complete.');
}
