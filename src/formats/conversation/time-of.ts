import type { Json } from '../../core/json.ts';
import { msToNs } from '../../core/span.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** Upper limits for Unix times in seconds, milliseconds, microseconds: each covers the years 1973 to 5138. */
const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 1e14;
const MICROSECONDS_BELOW = 1e17;

/** Unix nanoseconds of an RFC 3339 text (UTC without a zone) or a Unix time in any unit; null if it is neither. */
export function readTimeNs(value: Json | undefined): bigint | null {
  if (typeof value === 'string') return textNs(value.trim());
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
  if (value < SECONDS_BELOW) return msToNs(value * 1000);
  if (value < MILLISECONDS_BELOW) return msToNs(value);
  if (value < MICROSECONDS_BELOW) return BigInt(Math.round(value)) * 1000n;
  return value < LATEST_NS ? BigInt(Math.round(value)) : null;
}

/** Many receivers store OTLP times as signed 64-bit integers. */
const LATEST_NS = 2 ** 63;

function textNs(text: string): bigint | null {
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(text)) return readTimeNs(Number(text));
  return readTimestampNs(text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T'));
}
