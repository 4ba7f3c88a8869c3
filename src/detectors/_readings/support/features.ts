import { type Alignment, alignmentOf } from './alignment.ts';
import { type CopiedRuns, copiedRuns } from './copied-runs.ts';
import type { Idf } from './idf.ts';
import { type PairSupport, pairSupport } from './pair-support.ts';
import type { SourceIndex } from './source-index.ts';
import type { Token } from './tokens.ts';
import { type WordSupport, wordSupport } from './word-support.ts';

/** All measurements of one sentence. The features of a text are computed from those of its sentences. */
export interface SentenceSupport {
  words: WordSupport;
  runs: CopiedRuns;
  pairs: PairSupport;
  alignment: Alignment | null;
}

export function supportOf(tokens: readonly Token[], index: SourceIndex, idf: Idf): SentenceSupport {
  const ids = tokens.map(({ key }) => index.ids.get(key) ?? -1);
  return {
    words: wordSupport(tokens, ids, index, idf),
    runs: copiedRuns(ids, index),
    pairs: pairSupport(tokens, ids, index, idf),
    alignment: alignmentOf(tokens, index, idf),
  };
}

/** Input of the features: sums over the sentences, and the sentences for minimum and mean values. */
interface Material {
  words: (part: keyof Omit<WordSupport, 'missing'>) => number;
  runs: (part: keyof CopiedRuns) => number;
  pairs: (part: keyof PairSupport) => number;
  sentences: readonly SentenceSupport[];
  /** Only sentences with content words. */
  alignments: readonly Alignment[];
}

/** Content only, not length or style: these differ between kinds of text and say nothing about support. */
const FEATURES = {
  idfCoverage: ({ words }) => share(words('knownIdf'), words('idf'), 1),
  charCoverage: ({ words }) => share(words('knownGrams'), words('grams'), 1),
  softCoverage: ({ words }) => share(words('softIdf'), words('idf'), 1),
  lowestCoverage: ({ sentences }) =>
    lowest(sentences.filter(hasContent).map(({ words }) => words.knownIdf / words.idf)),
  best1Lowest: ({ alignments }) => lowest(alignments.map(({ best1 }) => best1)),
  best2Mean: ({ alignments }) => mean(alignments.map(({ best2 }) => best2)),
  windowLowest: ({ alignments }) => lowest(alignments.map(({ window }) => window)),
  longestRun: ({ runs, sentences }) =>
    share(Math.max(0, ...sentences.map((sentence) => sentence.runs.longest)), runs('tokens')),
  inRuns: ({ runs }) => share(runs('inRuns'), runs('tokens')),
  novelBigrams: ({ runs }) => share(runs('novelBigrams'), runs('bigrams')),
  novelTrigrams: ({ runs }) => share(runs('novelTrigrams'), runs('trigrams')),
  rarestUnknown: ({ sentences }) => Math.max(0, ...sentences.map(({ words }) => words.rarestUnknown)),
  unknownIdf: ({ words }) => Math.log1p(words('idf') - words('knownIdf')),
  unknownNumbers: ({ words }) => share(words('unknownNumbers'), words('numbers')),
  unknownNumberCount: ({ words }) => Math.log1p(words('unknownNumbers')),
  brokenPairs: ({ pairs }) => share(pairs('broken'), pairs('pairs')),
  brokenKnownPairs: ({ pairs }) => share(pairs('brokenKnown'), pairs('knownPairs')),
  farKnownPairs: ({ pairs }) => share(pairs('farKnown'), pairs('knownPairs')),
  farPairIdf: ({ pairs }) => Math.log1p(pairs('farIdf')),
  farPairs: ({ pairs }) => share(pairs('farIdf'), pairs('idf')),
  inversions: ({ alignments }) =>
    share(
      total(alignments, ({ inversions }) => inversions),
      total(alignments, ({ ordered }) => ordered),
    ),
  flippedNegations: ({ alignments, sentences }) =>
    share(alignments.filter(({ isNegationFlipped }) => isNegationFlipped).length, sentences.length),
} satisfies Record<string, (material: Material) => number>;

export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES);
const MEASURES: readonly ((material: Material) => number)[] = Object.values(FEATURES);

/** Values in the order of `FEATURE_NAMES`. */
export function featuresOf(sentences: readonly SentenceSupport[]): number[] {
  const material: Material = {
    words: (part) => total(sentences, ({ words }) => words[part]),
    runs: (part) => total(sentences, ({ runs }) => runs[part]),
    pairs: (part) => total(sentences, ({ pairs }) => pairs[part]),
    sentences,
    alignments: sentences.map(({ alignment }) => alignment).filter((alignment) => alignment !== null),
  };
  return MEASURES.map((measure) => measure(material));
}

function hasContent({ words }: SentenceSupport): boolean {
  return words.idf > 0;
}

function share(part: number, whole: number, none = 0): number {
  return whole === 0 ? none : part / whole;
}

function lowest(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((least, value) => Math.min(least, value));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : total(values, (value) => value) / values.length;
}

function total<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + measure(item), 0);
}
