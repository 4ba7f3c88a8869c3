import type { IncomingMessage } from 'node:http';
import type { Gunzip, Inflate, InflateRaw } from 'node:zlib';
import { AppError } from '../core/app-error.ts';
import type { BodyLimit } from '../features/_kit/body-limits.ts';
import type { HttpConfig } from './http-config.ts';
import { type ContentCoding, codingOf, corrupt, createUnpacker, tooLarge, unpackAtOnce } from './unpack.ts';

export interface BodyLimits {
  maxSentBytes: number;
  maxUnpackedBytes: number;
}

/** A route's own limit within that of the whole server. */
export function toBodyLimits(
  { maxBytes }: Pick<BodyLimit, 'maxBytes'>,
  { maxSentBytes, maxUnpackedBytes }: BodyLimits,
): BodyLimits {
  return { maxSentBytes: Math.min(maxBytes, maxSentBytes), maxUnpackedBytes: Math.min(maxBytes, maxUnpackedBytes) };
}

export interface BodyReader {
  /**
   * Reads and unpacks a body, and counts it against what may be held at one time until `use` is done. What is refused is
   * thrown away as it comes.
   * @throws AppError `payload_too_large`, `unsupported_media_type`, `malformed`, `backpressure`
   */
  withBody<Result>(
    request: IncomingMessage,
    limits: BodyLimits,
    use: (body: Buffer) => Promise<Result>,
  ): Promise<Result>;
  bytesInFlight(): number;
}

/** Packed bodies up to this size are collected first and unpacked at once. */
const SMALL_BYTES = 64 * 1024;

export function createBodyReader({ maxBytesInFlight }: Pick<HttpConfig, 'maxBytesInFlight'>): BodyReader {
  let held = 0;

  function hold(bytes: number): void {
    if (held + bytes > maxBytesInFlight) {
      throw new AppError('backpressure', 'Too many large bodies at once; try again shortly.', { retryAfterSeconds: 2 });
    }
    held += bytes;
  }

  async function read(request: IncomingMessage, limits: BodyLimits, sink: Sink): Promise<Buffer> {
    const coding = codingOf(request.headers['content-encoding']);
    if (coding === null) {
      throw new AppError('unsupported_media_type', 'The Content-Encoding must be identity, gzip or deflate.');
    }
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (length > limits.maxSentBytes) throw tooLarge(limits.maxSentBytes);
    if (coding === 'identity') return collect(request, sink.upTo(limits.maxUnpackedBytes, limits.maxSentBytes));
    if (length > SMALL_BYTES || Number.isNaN(length)) return collectUnpacked(request, coding, limits, sink);
    const packed = await collect(request, sink.upTo(limits.maxSentBytes));
    const body = unpackAtOnce(coding, packed, limits.maxUnpackedBytes);
    sink.hold(body.length);
    return body;
  }

  return {
    async withBody(request, limits, use) {
      const sink = new Sink(hold);
      try {
        return await use(await read(request, limits, sink));
      } catch (error) {
        // What still comes is read and dropped: a sender that is cut off would never see the answer.
        if (!request.complete) request.resume();
        throw error;
      } finally {
        held -= sink.held;
      }
    },
    bytesInFlight: () => held,
  };
}

/** Gathers chunks of one body within a bound, and counts them against the common one. */
class Sink {
  held = 0;
  #chunks: Buffer[] = [];
  #size = 0;
  #maxBytes = Infinity;
  readonly #hold: (bytes: number) => void;

  constructor(hold: (bytes: number) => void) {
    this.#hold = hold;
  }

  upTo(...maxBytes: number[]): this {
    this.#maxBytes = Math.min(...maxBytes);
    return this;
  }

  hold(bytes: number): void {
    this.#hold(bytes);
    this.held += bytes;
  }

  push(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.hold(chunk.length);
    this.#chunks.push(chunk);
  }

  finish(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#size);
  }
}

function collect(request: IncomingMessage, sink: Sink): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
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
    request.once('end', () => resolve(sink.finish()));
    request.once('error', stop);
    request.once('close', () => {
      if (!request.complete) stop(cutOff());
    });
  });
}

/** Unpacks while it comes, so that a small body which unpacks to gigabytes is refused early. */
function collectUnpacked(
  request: IncomingMessage,
  coding: Exclude<ContentCoding, 'identity'>,
  limits: BodyLimits,
  sink: Sink,
): Promise<Buffer> {
  sink.upTo(limits.maxUnpackedBytes);
  return new Promise((resolve, reject) => {
    let unpacker: Gunzip | Inflate | InflateRaw | null = null;
    let sentBytes = 0;

    const stop = (error: unknown) => {
      request.off('data', onData);
      unpacker?.destroy();
      reject(error);
    };
    const start = (first: Buffer) => {
      const started = createUnpacker(coding, first);
      started.on('data', (chunk: Buffer) => {
        try {
          sink.push(chunk);
        } catch (error) {
          stop(error);
        }
      });
      started.on('drain', () => request.resume());
      started.once('end', () => resolve(sink.finish()));
      started.once('error', () => stop(corrupt()));
      return started;
    };
    const onData = (chunk: Buffer) => {
      sentBytes += chunk.length;
      if (sentBytes > limits.maxSentBytes) return stop(tooLarge(limits.maxSentBytes));
      unpacker ??= start(chunk);
      if (!unpacker.write(chunk)) request.pause();
    };

    request.on('data', onData);
    request.once('end', () => (unpacker ? unpacker.end() : resolve(Buffer.alloc(0))));
    request.once('error', stop);
    request.once('close', () => {
      if (!request.complete) stop(cutOff());
    });
  });
}

function cutOff(): AppError {
  return new AppError('malformed', 'The body ended before it was complete.');
}
