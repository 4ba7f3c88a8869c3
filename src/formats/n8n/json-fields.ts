import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseLooseTime } from '../../core/rfc3339.ts';

/** A text, or a number on old servers. */
export function idOf(value: Json | undefined): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : null;
}

/** Unix milliseconds from a number or an RFC 3339 text. */
export function timeOf(value: Json | undefined): number | null {
  const ms = typeof value === 'string' ? (parseLooseTime(value) ?? Number.NaN) : value;
  return typeof ms === 'number' && ms > 0 && ms < 1e14 ? ms : null;
}

export function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function countOrNull(value: Json | undefined): number | null {
  return typeof value === 'number' && value >= 0 && value < 1e14 ? value : null;
}

export function objectOr(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
