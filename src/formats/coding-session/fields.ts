import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { msToNs } from '../../core/span.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** Readers of members that a sender may omit or fill with another type. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function countOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

const LATEST_MS = 1e14;

/** Nanoseconds of an RFC 3339 text or of Unix milliseconds; null for anything else. */
export function timeNsOf(value: Json | undefined): bigint | null {
  if (typeof value === 'string') return readTimestampNs(value);
  return typeof value === 'number' && value > 0 && value < LATEST_MS ? msToNs(value) : null;
}

/** The sum of the known counts; null if there are none. */
export function sumOf(...values: (Json | undefined)[]): number | null {
  const counts = values.map(countOf).filter((count) => count !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

/** Text of a content: a text, or the `text` members of a list of parts. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .flatMap((part) => textOf(part.text) ?? [])
    .join('\n');
}
