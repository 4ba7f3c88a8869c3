import type { IncomingMessage } from 'node:http';
import { AppError } from '../core/app-error.ts';

/** Minimum speed of a request body. */
export interface BodySpeedLimits {
  /** Maximum time without a byte. */
  idleMs: number;
  /** The average rate is checked after this time. */
  graceMs: number;
  minBytesPerSecond: number;
}

/** Long enough for a sender to read the error response while it is still sending. */
const LINGER_MS = 5_000;
const MAX_TICK_MS = 1_000;

/**
 * Monitors the connection of an unfinished body. It reads the socket's byte counter, so it is independent of the reader.
 * @param onLate called once, with AppError `request_timeout`
 * @returns a function that stops monitoring
 */
export function monitorBodySpeed(
  request: IncomingMessage,
  limits: BodySpeedLimits,
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
      const problem = speedErrorOf({ idleMs: now - last.at, ms: now - startedAt, bytes: bytes - firstBytes }, limits);
      if (problem === null) return;
      clearInterval(timer);
      onLate(new AppError('request_timeout', problem));
    },
    Math.min(MAX_TICK_MS, limits.idleMs / 4),
  );
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads a body by any means, and fails if it arrives too slowly. @throws AppError `request_timeout` */
export async function withBodySpeedLimit<Result>(
  request: IncomingMessage,
  limits: BodySpeedLimits,
  read: () => Promise<Result>,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const stop = monitorBodySpeed(request, limits, late.reject);
  try {
    return await Promise.race([read(), late.promise]);
  } finally {
    stop();
  }
}

/** Why a body is too slow; null if it is not. */
export function speedErrorOf(
  arrival: { idleMs: number; ms: number; bytes: number },
  { idleMs, graceMs, minBytesPerSecond }: BodySpeedLimits,
): string | null {
  if (arrival.idleMs >= idleMs) return `No byte of the body arrived for ${idleMs / 1000} s.`;
  const dueBytes = ((arrival.ms - graceMs) / 1000) * minBytesPerSecond;
  return arrival.bytes < dueBytes ? `The body arrives slower than ${minBytesPerSecond} bytes a second.` : null;
}

/**
 * Reads and discards the rest of a rejected body: a sender that is disconnected at once would never see the response. Closes
 * the connection if that takes too long.
 */
export function drainBody(request: IncomingMessage, lingerMs = LINGER_MS): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  timer.unref();
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}
