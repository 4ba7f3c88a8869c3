import { isJsonObject, type Json } from '../../core/json.ts';

/** JSON in the canonical formatting that executors compare, store and show: sorted members, two spaces, a final newline. */
export function formatJson(value: Json): string {
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
