import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FixChange } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';

/** Limit for the text that is stored next to its diff, because there are many detections. */
const MAX_CHARACTERS = 2_000;

/**
 * A unified diff that adds a line to the end of a text; null if even the last line is too long. `before` is the text, or
 * the last lines of a long one, and ends with a line break as files do.
 */
export function lineAdded(target: string, name: string, text: string, line: string): FixChange | null {
  const shown = lastLines(text.trimEnd());
  if (shown === '') return null;
  const before = `${shown}\n`;
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const diff = createTwoFilesPatch(
    `a/${name}`,
    `b/${name}`,
    before,
    `${before}${line}\n`,
    undefined,
    undefined,
    options,
  );
  return { target, format: 'unified-diff', before, after: diff };
}

function lastLines(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const cut = text.indexOf('\n', text.length - MAX_CHARACTERS - 1);
  return cut === -1 ? '' : text.slice(cut + 1);
}

/** One operation of RFC 6902. */
export interface PatchOperation {
  op: 'add' | 'replace';
  /** RFC 6901 pointer. */
  path: string;
  value: Json;
}

/** A change of a JSON document as an RFC 6902 patch. */
export function jsonPatched(target: string, before: Json, operations: readonly PatchOperation[]): FixChange {
  return { target, format: 'json-patch', before: JSON.stringify(before), after: JSON.stringify(operations) };
}

/** A member name escaped for an RFC 6901 pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
