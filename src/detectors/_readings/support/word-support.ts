import type { Idf } from './idf.ts';
import { isNumberIn } from './number-support.ts';
import type { SourceIndex } from './source-index.ts';
import type { Token } from './tokens.ts';

/** How the content words of a sentence occur in the sources: sums, so that the values of a text can be added. */
export interface WordSupport {
  content: number;
  idf: number;
  knownIdf: number;
  /** Idf of words that are known, or most of whose four-letter runs are. */
  softIdf: number;
  grams: number;
  knownGrams: number;
  numbers: number;
  unknownNumbers: number;
  /** Idf of the rarest unknown word; 0 if there is none. */
  rarestUnknown: number;
  /** Words and numbers that do not occur in the sources, in order. */
  missing: Token[];
}

/** Share of known four-letter runs from which an unknown word counts as a form of a known one. */
const MIN_SIMILARITY = 0.55;

export function wordSupport(
  tokens: readonly Token[],
  ids: readonly number[],
  index: SourceIndex,
  idf: Idf,
): WordSupport {
  const sums: WordSupport = {
    content: 0,
    idf: 0,
    knownIdf: 0,
    softIdf: 0,
    grams: 0,
    knownGrams: 0,
    numbers: 0,
    unknownNumbers: 0,
    rarestUnknown: 0,
    missing: [],
  };
  for (const [at, token] of tokens.entries()) {
    if (token.isStop) continue;
    const weight = idf(token.key);
    const grams = index.characters.count(token.raw);
    const isKnown = ids[at]! >= 0;
    sums.content += 1;
    sums.idf += weight;
    sums.grams += grams.all;
    sums.knownGrams += grams.known;
    if (isKnown) sums.knownIdf += weight;
    else sums.rarestUnknown = Math.max(sums.rarestUnknown, weight);
    const similarity = isKnown ? 1 : grams.known / grams.all;
    sums.softIdf += similarity > MIN_SIMILARITY ? weight * similarity : 0;
    const isStated = token.number === null ? isKnown : isNumberIn(index, tokens, at);
    if (token.number !== null) sums.numbers += 1;
    if (token.number !== null && !isStated) sums.unknownNumbers += 1;
    if (!isStated && (token.number !== null || similarity <= MIN_SIMILARITY)) sums.missing.push(token);
  }
  return sums;
}
