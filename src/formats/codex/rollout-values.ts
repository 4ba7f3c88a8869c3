import { isJsonObject, type Json } from '../../core/json.ts';

export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The text of a message: as it is, or as a list of parts. */
export function wordsOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap(({ text }) => textOf(text) ?? []).join('\n');
}
