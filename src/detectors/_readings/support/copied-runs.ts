import { bigramKey, type SourceIndex, trigramKey } from './source-index.ts';

/** How much wording was copied: neighbouring words that are also neighbours in the sources. */
export interface CopiedRuns {
  tokens: number;
  bigrams: number;
  novelBigrams: number;
  trigrams: number;
  novelTrigrams: number;
  /** Tokens of the longest run in which every trigram occurs in the sources. */
  longest: number;
  /** Tokens in such runs of at least four. */
  inRuns: number;
}

const MIN_RUN = 4;

/** @param ids number of each token in the sources, -1 if it does not occur */
export function copiedRuns(ids: readonly number[], index: SourceIndex): CopiedRuns {
  const runs = {
    tokens: ids.length,
    bigrams: 0,
    novelBigrams: 0,
    trigrams: 0,
    novelTrigrams: 0,
    longest: 0,
    inRuns: 0,
  };
  let run = 0;
  const endRun = () => {
    runs.longest = Math.max(runs.longest, run);
    if (run >= MIN_RUN) runs.inRuns += run;
    run = 0;
  };
  for (let at = 1; at < ids.length; at += 1) {
    const [a, b] = [ids[at - 1]!, ids[at]!];
    const isPair = a >= 0 && b >= 0 && index.bigrams.has(bigramKey(a, b));
    runs.bigrams += 1;
    if (!isPair) runs.novelBigrams += 1;
    if (at < 2) continue;
    runs.trigrams += 1;
    const isTriple = isPair && ids[at - 2]! >= 0 && index.trigrams.has(trigramKey(ids[at - 2]!, a, b));
    if (isTriple) run = run === 0 ? 3 : run + 1;
    else {
      runs.novelTrigrams += 1;
      endRun();
    }
  }
  endRun();
  return runs;
}
