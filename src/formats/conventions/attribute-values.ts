import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Attributes, AttributeValue } from '../../core/span.ts';

/** Whether any key starts with one of the prefixes. One pass avoids the many lookups of a family. */
export function hasKeyUnder(attributes: Attributes, ...prefixes: string[]): boolean {
  for (const key in attributes) for (const prefix of prefixes) if (key.startsWith(prefix)) return true;
  return false;
}

/** The first of the keys that contains text; numbers and booleans count as text, empty text does not. */
export function textAt(attributes: Attributes, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const text = asText(attributes[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The first of the keys that contains a finite number of at least 0; exact 64-bit tags and number texts count. */
export function countAt(attributes: Attributes, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const count = asCount(attributes[key]);
    if (count !== undefined) return count;
  }
  return undefined;
}

/** The value under a key. JSON text is parsed, other text is returned as it is. */
export function jsonAt(attributes: Attributes, key: string): Json | undefined {
  const value = attributes[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? jsonOrText(value) : value;
}

/** A list of texts, however it was sent: an array, a JSON array in text, or one text. */
export function textsAt(attributes: Attributes, key: string): string[] {
  const value = attributes[key];
  const list = typeof value === 'string' && value.startsWith('[') ? parseJson(value) : value;
  if (Array.isArray(list)) return list.map(asText).filter((text) => text !== undefined);
  const single = asText(value);
  return single === undefined ? [] : [single];
}

export function asText(value: AttributeValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isJsonObject(value) && typeof value.$int64 === 'string') return value.$int64;
  return undefined;
}

export function asCount(value: AttributeValue | undefined): number | undefined {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : asCount(Number(value));
  if (isJsonObject(value) && typeof value.$int64 === 'string') return asCount(Number(value.$int64));
  return undefined;
}

/** Nesting depth from which a value stays text, so that a recursive reader does not exhaust the stack. */
const MAX_DEPTH = 200;

/** Parses text that looks like a JSON object, array or quoted text; anything else stays as it is. */
export function jsonOrText(text: string): Json {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[' && first !== '"') return text;
  const value = parseJson(text);
  return value === undefined || isDeeperThan(value, MAX_DEPTH) ? text : value;
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) if (isDeeperThan(value[key] as Json, levels - 1)) return true;
  return false;
}

/** Text of a JSON value: text as it is, anything else as JSON; empty for null. */
export function toText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return ''; // nested deeper than the stack allows: no text
  }
}

/** An own entry under a name that a sender chose; not `constructor` and similar inherited members. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
