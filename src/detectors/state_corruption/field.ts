import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

const MAX_DEPTH = 4;
const MAX_FIELDS = 500;
/** An object with more members is a map of entries, whose keys change by design. */
const MAX_RECORD_KEYS = 24;

export function jsonType(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as Exclude<JsonType, 'null' | 'list'>;
}

/** Every field of the state by dotted path, including objects; lists are one value. */
export function flattenState(state: JsonObject): Map<string, Json> {
  const fields = new Map<string, Json>();
  collectFields(state, '', 1, fields);
  return fields;
}

function collectFields(object: JsonObject, prefix: string, depth: number, fields: Map<string, Json>): void {
  for (const [key, value] of Object.entries(object)) {
    if (fields.size >= MAX_FIELDS) return;
    const path = prefix + key;
    fields.set(path, value);
    if (depth < MAX_DEPTH && isJsonObject(value) && !isKeyedMap(value)) {
      collectFields(value, `${path}.`, depth + 1, fields);
    }
  }
}

/** Whether the keys are identifiers and not field names: `{"7f3a…": {…}, "81bc…": {…}}`. */
export function isKeyedMap(object: JsonObject): boolean {
  const keys = Object.keys(object);
  return keys.length > MAX_RECORD_KEYS || keys.some((key) => /\d{2}|[^\w$-]/.test(key));
}

/** Whether a value means "not set yet"; its replacement may have any type. */
export function isPlaceholder(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

export function leafName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

export function parentPath(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}

/** `itemCount`, `item-count` and `ITEM_COUNT` as the words `item`, `count`. */
export function nameWords(path: string): string[] {
  return leafName(path)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
