import { isJsonObject, type Json } from '../../src/core/json.ts';

const WIDTH = 120;

/** JSON text in which each value that fits into a line is on one line: compact, and readable and mergeable by lines. */
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
