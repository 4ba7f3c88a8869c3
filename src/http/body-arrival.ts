import type { IncomingMessage } from 'node:http';
import { AppError } from '../core/app-error.ts';

/** How fast a body must arrive. */
export interface ArrivalLimits {
  /** Without a byte. */
  idleMs: number;
  /** After this time the average rate counts. */
  graceMs: number;
  minBytesPerSecond: number;
}

/** Long enough for a sender to read its refusal while it still sends. */
const LINGER_MS = 5_000;
const MAX_TICK_MS = 1_000;

/**
 * Watches the connection of a body that has not ended. It reads the socket's counter, so it works however the body is read.
 * @param onLate called once, with AppError `request_timeout`
 * @returns ends the watch
 */
export function watchArrival(
  request: IncomingMessage,
  limits: ArrivalLimits,
  onLate: (error: AppError) => void,
): () => void {
  const { socket } = request;
  const startedAt = performance.now();
  const firstBytes = socket.bytesRead;
  let last = { bytes: firstBytes, at: startedAt };
  const timer = setInterval(
    () => {
      const now = performance.now();
      const bytes = socket.bytesRead;
      if (bytes > last.bytes) last = { bytes, at: now };
      const problem = problemOf({ idleMs: now - last.at, ms: now - startedAt, bytes: bytes - firstBytes }, limits);
      if (problem === null) return;
      clearInterval(timer);
      onLate(new AppError('request_timeout', problem));
    },
    Math.min(MAX_TICK_MS, limits.idleMs / 4),
  );
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads a body by any means, and gives up where it comes too slowly. @throws AppError `request_timeout` */
export async function withinArrival<Result>(
  request: IncomingMessage,
  limits: ArrivalLimits,
  read: () => Promise<Result>,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const stop = watchArrival(request, limits, late.reject);
  try {
    return await Promise.race([read(), late.promise]);
  } finally {
    stop();
  }
}

/** Why a body is too slow; null while it is not. */
export function problemOf(
  arrival: { idleMs: number; ms: number; bytes: number },
  { idleMs, graceMs, minBytesPerSecond }: ArrivalLimits,
): string | null {
  if (arrival.idleMs >= idleMs) return `No byte of the body came for ${idleMs / 1000} s.`;
  const dueBytes = ((arrival.ms - graceMs) / 1000) * minBytesPerSecond;
  return arrival.bytes < dueBytes ? `The body comes slower than ${minBytesPerSecond} bytes a second.` : null;
}

/**
 * Reads and drops what still comes of a refused body: a sender that is cut off at once would never see the answer. Closes
 * the connection where that takes too long.
 */
export function dropRest(request: IncomingMessage, lingerMs = LINGER_MS): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  timer.unref();
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}
