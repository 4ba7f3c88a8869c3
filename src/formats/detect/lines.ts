import { OTLP_LIMITS } from '../otlp/limits.ts';

/** Size of a text that certainly fits in memory. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

export interface Line {
  /** Starts at one. */
  number: number;
  /** Null if the line is too large to be parsed. */
  text: string | null;
}

/** The non-empty lines, without converting the whole body to one text. */
export function* linesOf(body: Buffer): Generator<Line> {
  let number = 1;
  for (let from = 0; from < body.length; number += 1) {
    const newline = body.indexOf(0x0a, from);
    const to = newline < 0 ? body.length : newline;
    const text = textOf(body.subarray(from, to));
    if (text !== '') yield { number, text };
    from = to + 1;
  }
}

/** The bytes as text without byte order mark and surrounding white space; null if parsing could exhaust the memory. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.length > MAX_DOCUMENT_BYTES || hasTooManyNodes(bytes)) return null;
  const text = bytes.toString('utf8');
  return (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).trim();
}

/** A few bytes of JSON can become a large object in memory, so objects and arrays are counted before parsing. */
function hasTooManyNodes(bytes: Buffer): boolean {
  if (bytes.length <= OTLP_LIMITS.jsonNodes) return false;
  let nodes = 0;
  for (const byte of bytes) if (byte === 0x7b || byte === 0x5b) nodes += 1;
  return nodes > OTLP_LIMITS.jsonNodes;
}
