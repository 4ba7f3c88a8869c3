import { parseRfc3339 } from '../../core/rfc3339.ts';

const NS_DIGITS = 9;
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/;
const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})(?:\.(\d{1,9}))?S)?)?$/;

/** Unix nanoseconds of an RFC 3339 time with all its digits; UTC without a zone. Null if it is invalid. */
export function readTimestampNs(text: string): bigint | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, seconds, fraction, zone] = match;
  const ms = parseRfc3339(`${seconds}${zone ?? 'Z'}`);
  return ms === null || ms < 0 ? null : BigInt(ms) * 1_000_000n + fractionNs(fraction);
}

/** Nanoseconds of an ISO 8601 duration in days, hours, minutes and seconds. Null if it is invalid. */
export function readDurationNs(text: string): bigint | null {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const [, days, hours, minutes, seconds, fraction] = match;
  const whole =
    BigInt(days ?? 0) * 86_400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0);
  return whole * 1_000_000_000n + fractionNs(fraction);
}

function fractionNs(digits: string | undefined): bigint {
  return BigInt((digits ?? '').padEnd(NS_DIGITS, '0'));
}
