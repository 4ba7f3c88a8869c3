import { isJsonObject, type Json } from '../../core/json.ts';

/** JSON in the canonical formatting that executors compare, store and show: sorted members, two spaces, a final newline. */
export function formatJson(value: Json): string {
  return `${JSON.stringify(sortMembers(value), null, 2)}\n`;
}

function sortMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortMembers(value[key] as Json)]),
  );
}
