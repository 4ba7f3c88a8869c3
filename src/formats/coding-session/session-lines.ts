import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';

export interface SessionLines {
  /** In file order. The value is null for a rejected line. */
  lines: { value: JsonObject | null; number: number }[];
  rejections: Rejection[];
}

/** The JSON objects of a session file, one per line. A broken line only affects itself. */
export function readSessionLines(text: string): SessionLines {
  const read: SessionLines = { lines: [], rejections: [] };
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.trim() === '') continue;
    const value = parseJson(line.replace(/^\ufeff/, ''));
    read.lines.push({ value: isJsonObject(value) ? value : null, number });
    if (isJsonObject(value)) continue;
    const message = value === undefined ? 'not JSON' : 'must be an object';
    read.rejections.push({ pointer: `line ${number}`, message });
  }
  return read;
}

const SNIFFED_LINES = 20;

/** Whether one of the first complete lines of a file matches. */
export function someFirstLine(head: string, fits: (value: JsonObject) => boolean): boolean {
  return head.split('\n', SNIFFED_LINES).some((line) => {
    const value = parseJson(line.replace(/^\ufeff/, ''));
    return isJsonObject(value) && fits(value);
  });
}
