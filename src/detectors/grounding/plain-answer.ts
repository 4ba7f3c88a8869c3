import { isJsonObject, type Json, parseJson } from '../../core/json.ts';

/** The words of an answer: the values of a JSON answer, else the text. Character escapes are decoded. */
export function plainAnswer(answer: string): string {
  const value = /^\s{0,20}[[{"]/.test(answer) ? parseJson(answer) : undefined;
  if (value === undefined) return readable(answer);
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return (inner === undefined ? [value] : valuesOf(inner)).map((one) => readable(String(one))).join('\n');
}

function valuesOf(value: Json): Json[] {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  if (isJsonObject(value)) return Object.values(value).flatMap((inner) => valuesOf(inner ?? null));
  return value === null ? [] : [value];
}

/** The text with `\u00e1`, `\/` and `&amp;` decoded. */
export function readable(text: string): string {
  if (!text.includes('\\') && !text.includes('&amp;')) return text;
  return text
    .replace(/\\{1,4}u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\{1,4}\//g, '/')
    .replaceAll('&amp;', '&');
}

/** Share of symbols from which a line is a drawing or a separator. */
const SYMBOL_SHARE = 0.6;

/** The text without lines that consist mostly of symbols. */
export function withoutDrawings(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isDrawing(line))
    .join('\n');
}

function isDrawing(line: string): boolean {
  const marks = line.replace(/\s+/g, '');
  if (marks.length < 5) return false;
  return marks.replace(/[\p{L}\p{N}]+/gu, '').length / marks.length >= SYMBOL_SHARE;
}
