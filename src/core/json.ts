/** Any value that JSON can hold. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parsed value, or `undefined` if the text is not JSON. Never throws. */
export function parseJson(text: string): Json | undefined {
  // Most texts are not JSON, and an exception costs more than a check of a short text.
  if (!mayBeJson(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const OPENS = /^[ \t\n\r]*(?:[["\-0-9]|\{[ \t\n\r]*["}]|true|false|null)/;
const CLOSES = '}]"el0123456789';

/** Checks the beginning and the last character only. */
function mayBeJson(text: string): boolean {
  let last = text.length - 1;
  while (last >= 0 && ' \t\n\r'.includes(text[last]!)) last -= 1;
  return last >= 0 && CLOSES.includes(text[last]!) && OPENS.test(text);
}

/** The texts, numbers and flags in a value as texts, in order; without the names of members. */
export function leafTexts(value: Json): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leafTexts);
  return isJsonObject(value) ? Object.values(value).flatMap((one) => leafTexts(one ?? null)) : [String(value)];
}

/** JSON text with object keys sorted at every level, so that equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${members.join(',')}}`;
}
