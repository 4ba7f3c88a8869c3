/** A JavaScript token, as far as calls with literal arguments need it. */
export interface ScriptToken {
  type: 'name' | 'number' | 'text' | 'template' | 'sign' | 'regex';
  /** Name, punctuator or source of a number; the value of a text. */
  value: string;
  start: number;
  end: number;
  /** For a template: its literal parts, and the source of each expression between them. */
  pieces?: readonly string[];
  expressions?: readonly string[];
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };
/** After these tokens a slash starts a regular expression, not a division. */
const BEFORE_REGEX = /^(?:[(,=:[!&|?{};+\-*%<>~^]|=>|return|typeof|case|in|of|await)$/;

/** Tokenizes a script in one pass, without executing anything. Ends early if a text or template is unterminated. */
export function scriptTokens(source: string): ScriptToken[] {
  const tokens: ScriptToken[] = [];
  let at = 0;
  while (at < source.length) {
    const end = endOfTrivia(source, at);
    if (end > at) {
      at = end;
      continue;
    }
    const token = tokenAt(source, at, tokens.at(-1));
    if (token === null) break;
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** End of the white space or comment that begins here. */
function endOfTrivia(source: string, at: number): number {
  SPACE.lastIndex = at;
  const space = SPACE.exec(source);
  if (space !== null) return at + space[0].length;
  if (source.startsWith('//', at)) return endOf(source.indexOf('\n', at), source);
  if (source.startsWith('/*', at)) return endOf(source.indexOf('*/', at + 2), source, 2);
  return at;
}

function endOf(found: number, source: string, length = 1): number {
  return found < 0 ? source.length : found + length;
}

function tokenAt(source: string, start: number, before: ScriptToken | undefined): ScriptToken | null {
  const first = source[start]!;
  if (first === '"' || first === "'") return textAt(source, start);
  if (first === '`') return templateAt(source, start, before?.value === 'raw');
  for (const [type, pattern] of [
    ['name', NAME],
    ['number', NUMBER],
  ] as const) {
    pattern.lastIndex = start;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) return { type, value: found, start, end: start + found.length };
  }
  if (first === '/' && (before === undefined || BEFORE_REGEX.test(before.value))) {
    const end = regexEnd(source, start);
    if (end !== null) return { type: 'regex', value: source.slice(start, end), start, end };
  }
  const sign = ['=>', '...'].find((long) => source.startsWith(long, start)) ?? first;
  return { type: 'sign', value: sign, start, end: start + sign.length };
}

function textAt(source: string, start: number): ScriptToken | null {
  const quote = source[start]!;
  let value = '';
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === quote) return { type: 'text', value, start, end: at + 1 };
    if (character === '\n') return null;
    if (character === '\\') {
      const read = escapeAt(source, at);
      value += read.value;
      at = read.end - 1;
    } else value += character;
  }
  return null;
}

function templateAt(source: string, start: number, isRaw: boolean): ScriptToken | null {
  const pieces: string[] = [];
  const expressions: string[] = [];
  let piece = '';
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === '`') {
      pieces.push(piece);
      return { type: 'template', value: pieces.join(''), start, end: at + 1, pieces, expressions };
    }
    if (character === '\\' && !isRaw) {
      const read = escapeAt(source, at);
      piece += read.value;
      at = read.end - 1;
    } else if (character === '$' && source[at + 1] === '{') {
      const end = expressionEnd(source, at + 2);
      if (end === null) return null;
      pieces.push(piece);
      expressions.push(source.slice(at + 2, end));
      piece = '';
      at = end;
    } else piece += character;
  }
  return null;
}

/** The closing brace of a template expression; braces inside quotes are ignored. */
function expressionEnd(source: string, start: number): number | null {
  let depth = 0;
  let quote: string | null = null;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at]!;
    if (character === '\\') at += 1;
    else if (quote !== null) quote = character === quote ? null : quote;
    else if (character === '"' || character === "'" || character === '`') quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}' && depth-- === 0) return at;
  }
  return null;
}

function escapeAt(source: string, at: number): { value: string; end: number } {
  const letter = source[at + 1] ?? '';
  if (letter === '\n') return { value: '', end: at + 2 };
  const digits = letter === 'x' ? /^[0-9a-f]{2}/i : letter === 'u' ? /^(?:[0-9a-f]{4}|\{[0-9a-f]{1,6}\})/i : null;
  const code = digits?.exec(source.slice(at + 2, at + 10))?.[0];
  if (code === undefined) return { value: ESCAPES[letter] ?? letter, end: at + 2 };
  const point = Number.parseInt(code.replace(/[{}]/g, ''), 16);
  return { value: point > 0x10ffff ? '' : String.fromCodePoint(point), end: at + 2 + code.length };
}

const MAX_REGEX_LENGTH = 300;

/** Null if no regular expression ends on this line: the slash is then a division. */
function regexEnd(source: string, start: number): number | null {
  let isInClass = false;
  const last = Math.min(source.length, start + MAX_REGEX_LENGTH);
  for (let at = start + 1; at < last && source[at] !== '\n'; at += 1) {
    const character = source[at]!;
    if (character === '\\') at += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at + 1;
  }
  return null;
}
