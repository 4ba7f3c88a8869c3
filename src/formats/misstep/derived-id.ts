import { createHash } from 'node:crypto';

/** Length of a trace id and of a span id in hex digits, as defined by OpenTelemetry. */
export const TRACE_ID_DIGITS = 32;
export const SPAN_ID_DIGITS = 16;

/** Hex digits of SHA-256 over the parts. Equal parts give equal ids, so that repeated imports create no duplicates. */
export function derivedId(digits: number, ...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}
