import type { JsonObject } from '../../core/json.ts';

/** The first of the keys with a non-empty text. */
export function textIn(value: JsonObject, ...keys: string[]): string | null {
  for (const key of keys) {
    const text = value[key];
    if (typeof text === 'string' && text !== '') return text;
  }
  return null;
}
