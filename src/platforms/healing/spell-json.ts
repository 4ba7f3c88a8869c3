import { isJsonObject, type Json } from '../../core/json.ts';

/** JSON in the one spelling that executors compare, keep and show: members sorted, two spaces, a line end. */
export function spellJson(value: Json): string {
  return `${JSON.stringify(sorted(value), null, 2)}\n`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  );
}
