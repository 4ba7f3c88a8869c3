import type { Idf } from './idf.ts';
import type { SourceIndex } from './source-index.ts';
import type { Token } from './tokens.ts';

/** Whether neighbouring content words also occur together in the sources; detects known words in a new relation. */
export interface PairSupport {
  pairs: number;
  /** Pairs that share no sentence of the sources, or contain an unknown word. */
  broken: number;
  /** Number of pairs of two known words, of those that share no sentence, and of those that are never near each other. */
  knownPairs: number;
  brokenKnown: number;
  farKnown: number;
  idf: number;
  /** Idf of pairs that are far apart or contain an unknown word. */
  farIdf: number;
}

/** Additional distance that words may have in the source and still count as near. */
const MAX_EXTRA_DISTANCE = 4;

export function pairSupport(
  tokens: readonly Token[],
  ids: readonly number[],
  index: SourceIndex,
  idf: Idf,
): PairSupport {
  const sums = { pairs: 0, broken: 0, knownPairs: 0, brokenKnown: 0, farKnown: 0, idf: 0, farIdf: 0 };
  let before = -1;
  for (const [at, token] of tokens.entries()) {
    if (token.isStop) continue;
    if (before >= 0) addPair(before, at, token);
    before = at;
  }
  return sums;

  function addPair(left: number, right: number, token: Token): void {
    const [a, b] = [ids[left]!, ids[right]!];
    const areKnown = a >= 0 && b >= 0;
    const isBroken = !areKnown || !areWithin(index.sentencesOf[a]!, index.sentencesOf[b]!, 0);
    const isFar =
      !areKnown || !areWithin(index.positionsOf[a]!, index.positionsOf[b]!, right - left + MAX_EXTRA_DISTANCE);
    const weight = idf(tokens[left]!.key) + idf(token.key);
    sums.pairs += 1;
    sums.idf += weight;
    if (isBroken) sums.broken += 1;
    if (isFar) sums.farIdf += weight;
    if (!areKnown) return;
    sums.knownPairs += 1;
    if (isBroken) sums.brokenKnown += 1;
    if (isFar) sums.farKnown += 1;
  }
}

/** Whether two ascending lists contain numbers at most `distance` apart. */
function areWithin(a: readonly number[], b: readonly number[], distance: number): boolean {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (Math.abs(a[i]! - b[j]!) <= distance) return true;
    if (a[i]! < b[j]!) i += 1;
    else j += 1;
  }
  return false;
}
