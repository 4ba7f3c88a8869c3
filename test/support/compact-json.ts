import { isJsonObject, type Json } from '../../src/core/json.ts';

const WIDTH = 120;

/** JSON text with each value that fits on one line: compact, readable and easy to merge. */
export function compactJson(value: Json, indent = ''): string {
  const line = JSON.stringify(value);
  const isShort = line.length + indent.length <= WIDTH;
  if (isShort || !(Array.isArray(value) || isJsonObject(value))) return line;
  const inner = `${indent} `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((item) => inner + compactJson(item, inner))
    : Object.entries(value).map(([key, member]) => `${inner}${JSON.stringify(key)}: ${compactJson(member, inner)}`);
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}
