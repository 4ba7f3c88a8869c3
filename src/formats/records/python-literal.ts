import type { Json } from '../../core/json.ts';

const MAX_DEPTH = 100;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/**
 * Parses a Python literal as printed by `repr()` (dict, list, tuple, text, number, True, False, None) or JSON. `undefined`
 * if the text is neither. One pass, never throws.
 */
export function parsePythonLiteral(text: string): Json | undefined {
  try {
    const reader = new Reader(text);
    const value = reader.value(0);
    reader.end();
    return value;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new NotALiteral();
    const next = this.peek();
    if (next === '{') return this.dict(depth);
    if (next === '[' || next === '(') return this.list(depth, CLOSING[next]!);
    if (next === "'" || next === '"') return this.quoted(next);
    return this.word();
  }

  end(): void {
    if (this.peek() !== '') throw new NotALiteral();
  }

  private dict(depth: number): Json {
    const members: [string, Json][] = [];
    this.members('}', () => {
      const key = this.value(depth + 1);
      if (this.readCharacter() !== ':') throw new NotALiteral();
      members.push([typeof key === 'string' ? key : JSON.stringify(key), this.value(depth + 1)]);
    });
    return Object.fromEntries(members);
  }

  private list(depth: number, closing: string): Json {
    const items: Json[] = [];
    this.members(closing, () => items.push(this.value(depth + 1)));
    return items;
  }

  private members(closing: string, readOne: () => void): void {
    this.at += 1;
    while (this.peek() !== closing) {
      readOne();
      if (this.peek() === ',') this.at += 1;
      else if (this.peek() !== closing) throw new NotALiteral();
    }
    this.at += 1;
  }

  private quoted(quote: string): string {
    let out = '';
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const char = this.text[this.at]!;
      if (char === quote) {
        this.at += 1;
        return out;
      }
      out += char === '\\' ? this.escaped() : char;
    }
    throw new NotALiteral();
  }

  private escaped(): string {
    this.at += 1;
    const char = this.text[this.at] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[char];
    if (digits === undefined) return ESCAPES[char] ?? char;
    const code = Number.parseInt(this.text.slice(this.at + 1, this.at + 1 + digits), 16);
    if (!(code >= 0 && code <= 0x10ffff)) throw new NotALiteral();
    this.at += digits;
    return String.fromCodePoint(code);
  }

  private word(): Json {
    const start = this.at;
    while (/[\w.+-]/.test(this.text[this.at] ?? '')) this.at += 1;
    const word = this.text.slice(start, this.at);
    const named = WORDS.get(word);
    if (named !== undefined) return named;
    if (!/^[+-]?(\d|\.\d)/.test(word) || !Number.isFinite(Number(word))) throw new NotALiteral();
    return Number(word);
  }

  private peek(): string {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
    return this.text[this.at] ?? '';
  }

  private readCharacter(): string {
    const char = this.peek();
    this.at += 1;
    return char;
  }
}
