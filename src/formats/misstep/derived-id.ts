import { createHash } from 'node:crypto';

/** Length of a trace id and of a span id in hex digits, as OpenTelemetry has them. */
export const TRACE_ID_DIGITS = 32;
export const SPAN_ID_DIGITS = 16;

/** Hex digits of SHA-256 over the parts: the same parts give the same id, so that reading twice doubles nothing. */
export function derivedId(digits: number, ...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}
