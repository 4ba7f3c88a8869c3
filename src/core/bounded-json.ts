import { AppError } from './app-error.ts';
import type { Json } from './json.ts';

export interface JsonLimits {
  /** Values and member names together; an empty container counts at most twice. */
  maxNodes: number;
}

/** Keeps recursive walks of a value far from the stack limit. */
export const MAX_JSON_DEPTH = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the structure of JSON, or of JSON lines, before any of it is parsed: a few compressed bytes can become millions of
 * objects. Stops at the first excess. Text that is not JSON passes; the parser rejects it at no more cost than what was counted.
 * @returns the number of nodes
 * @throws AppError `payload_too_large` for more nodes than `limits` allow, `malformed` for deeper nesting than 500
 */
export function assertJsonWithin(body: Uint8Array, { maxNodes }: JsonLimits): number {
  const strings = new StringEnds(body);
  let nodes = 1;
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case QUOTE:
        at = strings.endAfter(at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        nodes += 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep();
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth = Math.max(0, depth - 1);
        break;
      case 0x2c: // ,
      case 0x3a: // :
        nodes += 1;
        break;
    }
    if (nodes > maxNodes) throw tooManyNodes(maxNodes);
  }
  return nodes;
}

/** Whether the structure stays within the limits; without a limit it does. */
export function isJsonWithin(body: Uint8Array, maxNodes = Number.POSITIVE_INFINITY): boolean {
  if (body.length < maxNodes) return true;
  try {
    assertJsonWithin(body, { maxNodes });
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds where strings end. A JSON string never spans lines, so a stray quote in JSON lines hides at most the rest
 * of its own line.
 */
class StringEnds {
  readonly #body: Uint8Array;
  #lineFeed = -1;
  #carriageReturn = -1;

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /** Index of the closing quote or of the end of the line, whichever comes first. @param opening index of the opening quote */
  endAfter(opening: number): number {
    const lineEnd = this.#lineEndAfter(opening);
    for (let quote = opening; ; ) {
      quote = this.#indexOf(QUOTE, quote + 1);
      if (quote >= lineEnd) return lineEnd;
      if (!this.#isEscaped(quote, opening)) return quote;
    }
  }

  #lineEndAfter(index: number): number {
    if (this.#lineFeed < index) this.#lineFeed = this.#indexOf(LINE_FEED, index);
    if (this.#carriageReturn < index) this.#carriageReturn = this.#indexOf(CARRIAGE_RETURN, index);
    return Math.min(this.#lineFeed, this.#carriageReturn);
  }

  #isEscaped(quote: number, opening: number): boolean {
    let at = quote - 1;
    while (at > opening && this.#body[at] === BACKSLASH) at -= 1;
    return (quote - 1 - at) % 2 === 1;
  }

  #indexOf(byte: number, from: number): number {
    const found = this.#body.indexOf(byte, from);
    return found === -1 ? this.#body.length : found;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** @throws AppError `malformed` for text that is not UTF-8 */
export function utf8Text(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new AppError('malformed', 'The body is not UTF-8 text.');
  }
}

/** @throws AppError `malformed` for text that is not JSON in UTF-8 or is nested deeper than 500, `payload_too_large` */
export function parseBoundedJson(body: Uint8Array, limits: JsonLimits): Json {
  assertJsonWithin(body, limits);
  const text = utf8Text(body);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new AppError('malformed', 'The body is not valid JSON.');
  }
}

function tooDeep(): AppError {
  return new AppError('malformed', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
}

function tooManyNodes(maxNodes: number): AppError {
  return new AppError('payload_too_large', `The body contains more than ${maxNodes} values and member names.`);
}
