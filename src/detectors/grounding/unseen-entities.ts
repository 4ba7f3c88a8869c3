import { lazy } from '../_kit/memoize.ts';
import { valuesIn, withAsciiDigits } from '../_kit/number-notation.ts';
import type { AnswerEntity } from './answer-entities.ts';
import { readable } from './plain-answer.ts';

/** Limit for the numbers that are tried as operands of a sum, difference, product or ratio. */
const NUMBERS_LIMIT = 2000;

/** The entities that occur in none of the texts. Numbers that can be computed from two numbers of the texts are omitted. */
export function unseenEntities(entities: readonly AnswerEntity[], texts: readonly string[]): AnswerEntity[] {
  const candidates = entities.filter(({ text }) => !texts.some((one) => one.includes(text)));
  if (candidates.length === 0) return [];
  const lower = lowerTexts(texts);
  const views: Record<AnswerEntity['kind'], () => readonly string[]> = {
    url: () => lower,
    email: () => lower,
    identifier: () => lower,
    quote: lazy(() => lower.map(lettersOnly)),
    number: lazy(() => lower.map((text) => withAsciiDigits(text).replace(/(?<=\d),(?=\d)/g, ''))),
  };
  const numbers = lazy(() => lower.flatMap(valuesIn));
  const known = lazy(() => new Set(numbers()));
  const operands = lazy(() => numbers().slice(-NUMBERS_LIMIT));
  return candidates.filter(({ kind, needle, readings = [] }) => {
    const value = kind === 'quote' ? lettersOnly(needle) : needle;
    if (views[kind]().some((text) => text.includes(value))) return false;
    return !readings.some((one) => known().has(one) || isDerived(one, operands()));
  });
}

/** The decoded texts in lower case. */
export function lowerTexts(texts: readonly string[]): string[] {
  return texts.map((text) => readable(text).toLowerCase());
}

function lettersOnly(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function isDerived(value: number, numbers: readonly number[]): boolean {
  const known = new Set(numbers.map(numberKey));
  const isNear = (value: number) => known.has(numberKey(value));
  return numbers.some(
    (number) =>
      numberKey(number) === numberKey(value) ||
      isNear(value - number) ||
      isNear(number - value) ||
      isNear(value + number) ||
      (number !== 0 && (isNear(value / number) || isNear(value * number) || isNear(number / value))),
  );
}

/** Rounded to two decimals, like amounts. */
function numberKey(value: number): number {
  return Math.round(value * 100);
}
