/** Reads of parsed JSON whose shape is not known: each returns an empty value when the shape differs. */
export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** The text of a content field: a string, or a list of parts with `text`. */
export function contentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => (typeof part === 'string' ? part : textOf(fieldsOf(part).text)))
    .join('\n');
}
