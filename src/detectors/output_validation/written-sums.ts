/** A sum as written, with its correct result. */
export interface WrittenSum {
  text: string;
  written: number;
  right: number;
  /** Number of decimals in the written result. */
  decimals: number;
}

interface Token {
  text: string;
  at: number;
  end: number;
}

const TOKEN = /\d[\d,]*(?:\.\d+)?|[A-Za-z]+|[^\s\w$]/g;
/** An operator, a number, the equals sign and another number, with at most separators (white space, `_`, `$`) between them. */
const MAY_CONTAIN_SUM = /[-+*×][\s_$]*\d[\d,]*(?:\.\d+)?[\s_$]*=[\s_$]*(?:-[\s_$]*)?\d/;
const OPERATOR = new Set(['+', '-', '*', '×']);
/** Characters next to a sum that make it a part of something longer. */
const CONTINUES = new Set([...'+-*×/÷^%.,(){}[]\\)']);
const MULTIPLIES = /^(?:times|cdot|frac|div|of|hundred|dozen|x)$/;
const MAX_TOKENS = 4000;
const MAX_TERMS = 9;

/**
 * `12 + 30 - 4 = 38`: standalone sums and products of whole or decimal numbers on one line. Brackets, division and units
 * are not covered. Linear in the length of the text.
 */
export function writtenSums(text: string): WrittenSum[] {
  if (!MAY_CONTAIN_SUM.test(text)) return [];
  const tokens: Token[] = [];
  for (const found of text.matchAll(TOKEN)) {
    tokens.push({ text: found[0], at: found.index, end: found.index + found[0].length });
    if (tokens.length === MAX_TOKENS) break;
  }
  return tokens.flatMap((token, at) => (token.text === '=' ? sumAround(text, tokens, at) : []));
}

function sumAround(text: string, tokens: readonly Token[], equals: number): WrittenSum[] {
  let start = equals - 1;
  if (!isNumber(tokens[start])) return [];
  while (equals - start < 2 * MAX_TERMS && isTerm(text, tokens, start)) start -= 2;
  const isNegative = tokens[equals + 1]?.text === '-';
  const result = tokens[equals + (isNegative ? 2 : 1)];
  const isWhole = start < equals - 1 && isNumber(result) && !isPart(tokens, start, tokens.indexOf(result!, equals));
  if (!isWhole) return [];
  const written = numberOf(result!.text) * (isNegative ? -1 : 1);
  return [
    {
      text: text.slice(tokens[start]!.at, result!.end),
      written,
      right: totalOf(tokens.slice(start, equals)),
      decimals: result!.text.split('.')[1]?.length ?? 0,
    },
  ];
}

/** Whether an operator and a number precede the term on the same line. */
function isTerm(text: string, tokens: readonly Token[], at: number): boolean {
  const [number, operator] = [tokens[at - 2], tokens[at - 1]];
  if (operator === undefined || !OPERATOR.has(operator.text) || !isNumber(number)) return false;
  return !text.slice(number!.end, tokens[at]!.at).includes('\n');
}

function isPart(tokens: readonly Token[], start: number, end: number): boolean {
  const [before, after] = [tokens[start - 1], tokens[end + 1]];
  const touches = (a: Token, b: Token) => a.end === b.at;
  if (before !== undefined && (CONTINUES.has(before.text) || MULTIPLIES.test(before.text))) return true;
  if (before !== undefined && /^[A-Za-z]/.test(before.text) && touches(before, tokens[start]!)) return true;
  if (after === undefined) return false;
  if (/^[A-Za-z]/.test(after.text)) return touches(tokens[end]!, after) || MULTIPLIES.test(after.text);
  return CONTINUES.has(after.text) && !/^[.,)]$/.test(after.text);
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && /^\d/.test(token.text);
}

/** Multiplication takes precedence over addition. */
function totalOf(tokens: readonly Token[]): number {
  let [sum, product, sign] = [0, numberOf(tokens[0]!.text), 1];
  for (let at = 1; at + 1 < tokens.length; at += 2) {
    const [operator, next] = [tokens[at]!.text, numberOf(tokens[at + 1]!.text)];
    if (operator === '*' || operator === '×') product *= next;
    else {
      sum += sign * product;
      [product, sign] = [next, operator === '-' ? -1 : 1];
    }
  }
  return sum + sign * product;
}

export function numberOf(text: string): number {
  return Number(text.replace(/,/g, ''));
}
