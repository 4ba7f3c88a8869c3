import type { Idf } from './idf.ts';
import type { SourceIndex } from './source-index.ts';
import type { Token } from './tokens.ts';

/** A sentence compared with the most similar places of the sources; values are shares of the idf of its distinct words. */
export interface Alignment {
  /** Coverage by the best sentence, by the best two together, and by the best window of words. */
  best1: number;
  best2: number;
  window: number;
  /** Number of neighbouring shared words, and of those in reverse order in the best sentence: swapped roles. */
  ordered: number;
  inversions: number;
  /** Whether only one of the two is negated although they share most words. */
  isNegationFlipped: boolean;
  /** Index of the best sentence; null if nothing is shared. */
  bestSentence: number | null;
}

/** From this coverage, a negation on one side only is a contradiction. */
const MIN_SHARED_COVERAGE = 0.5;

/** Null for a sentence without content words. */
export function alignmentOf(tokens: readonly Token[], index: SourceIndex, idf: Idf): Alignment | null {
  const { weights, total } = distinctWeights(tokens, index, idf);
  if (total === 0) return null;
  const best = bestSentenceOf(weights, index);
  const window = bestWindow(weights, index, Math.max(12, Math.round(tokens.length * 1.5))) / total;
  if (best === null) {
    return { best1: 0, best2: 0, window, ordered: 0, inversions: 0, isNegationFlipped: false, bestSentence: null };
  }
  const matched = index.tokens.slice(index.sentenceStarts[best.at]!, index.sentenceStarts[best.at + 1]!);
  const isFlipped = tokens.some(isNegation) !== matched.some(isNegation);
  return {
    best1: best.weight / total,
    best2: (best.weight + bestAddition(weights, index, best.at)) / total,
    window,
    ...orderOf(tokens, matched),
    isNegationFlipped: isFlipped && best.weight / total > MIN_SHARED_COVERAGE,
    bestSentence: best.at,
  };
}

function isNegation(token: Token): boolean {
  return token.isNegation;
}

/** Idf of each distinct content word by its number in the sources, and the sum over all words, including unknown ones. */
function distinctWeights(tokens: readonly Token[], index: SourceIndex, idf: Idf) {
  const weights = new Map<number, number>();
  const seen = new Set<string>();
  let total = 0;
  for (const { key, isStop } of tokens) {
    if (isStop || seen.has(key)) continue;
    seen.add(key);
    const weight = idf(key);
    const id = index.ids.get(key);
    total += weight;
    if (id !== undefined) weights.set(id, weight);
  }
  return { weights, total };
}

function bestSentenceOf(weights: ReadonlyMap<number, number>, index: SourceIndex) {
  const scores = new Map<number, number>();
  for (const [id, weight] of weights)
    for (const sentence of index.sentencesOf[id]!) scores.set(sentence, (scores.get(sentence) ?? 0) + weight);
  let best: { at: number; weight: number } | null = null;
  for (const [at, weight] of scores)
    if (best === null || weight > best.weight || (weight === best.weight && at < best.at)) best = { at, weight };
  return best;
}

/** The largest coverage that one more sentence adds to the best one. */
function bestAddition(weights: ReadonlyMap<number, number>, index: SourceIndex, best: number): number {
  const scores = new Map<number, number>();
  for (const [id, weight] of weights) {
    const sentences = index.sentencesOf[id]!;
    if (sentences.includes(best)) continue;
    for (const sentence of sentences) scores.set(sentence, (scores.get(sentence) ?? 0) + weight);
  }
  let most = 0;
  for (const weight of scores.values()) most = Math.max(most, weight);
  return most;
}

/** Greatest weight of distinct words within `width` tokens of the sources. */
function bestWindow(weights: ReadonlyMap<number, number>, index: SourceIndex, width: number): number {
  const ids = [...weights.keys()];
  const places = placesOf(ids, index);
  const inside = new Int32Array(ids.length);
  const weightOf = Float64Array.from(weights.values());
  let [from, sum, most] = [0, 0, 0];
  for (const place of places) {
    const nth = place % ids.length;
    if (inside[nth] === 0) sum += weightOf[nth]!;
    inside[nth]! += 1;
    const first = Math.floor(place / ids.length) - width;
    for (; Math.floor(places[from]! / ids.length) < first; from += 1) {
      const left = places[from]! % ids.length;
      inside[left]! -= 1;
      if (inside[left] === 0) sum -= weightOf[left]!;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Ascending positions of these words in the sources, encoded as `position * ids.length + n` for the word `ids[n]`. */
function placesOf(ids: readonly number[], index: SourceIndex): Float64Array {
  const places = new Float64Array(ids.reduce((sum, id) => sum + index.positionsOf[id]!.length, 0));
  let count = 0;
  for (const [nth, id] of ids.entries())
    for (const position of index.positionsOf[id]!) {
      places[count] = position * ids.length + nth;
      count += 1;
    }
  return places.sort();
}

/** Words that occur once in the other text, in the order of this one. */
function orderOf(tokens: readonly Token[], matched: readonly Token[]): { ordered: number; inversions: number } {
  const places = new Map<string, number>();
  for (const [at, { key }] of matched.entries()) places.set(key, places.has(key) ? -1 : at);
  const order = tokens
    .filter(({ key, isStop }) => !isStop && (places.get(key) ?? -1) >= 0)
    .map(({ key }) => places.get(key)!);
  const inversions = order.filter((place, at) => at > 0 && place < order[at - 1]!).length;
  return { ordered: Math.max(0, order.length - 1), inversions };
}
