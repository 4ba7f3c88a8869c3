import { numberReadings } from '../../_kit/number-notation.ts';
import { scaleOf } from './number-words.ts';
import type { SourceIndex } from './source-index.ts';
import type { Token } from './tokens.ts';

const ROUNDING_WORDS = new Set([
  'about',
  'around',
  'approximat',
  'nearli',
  'almost',
  'rough',
  'circa',
  'over',
  'than',
  'some',
]);
/** Relative distance within which a rounded number matches the source. */
const ROUNDING_SHARE = 0.05;

/**
 * Whether the sources contain the number at this place: as written, with its scale word (`211 million` for 211,000,000), or
 * approximately if the text says that it rounds (`about 5,000` for 4,987).
 */
export function isNumberIn(index: SourceIndex, tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!;
  if (index.ids.has(token.key)) return true;
  const scale = scaleOf(tokens[at + 1]?.key);
  const value = token.number! * scale;
  const others = numberReadings(token.raw.replaceAll(' ', ''));
  if (index.numbers.has(value) || others.some((other) => index.numbers.has(other * scale))) return true;
  const before = tokens[at - 1];
  if (before === undefined || !ROUNDING_WORDS.has(before.key)) return false;
  return [...index.numbers].some((known) => Math.abs(known - value) <= ROUNDING_SHARE * Math.abs(known));
}
