import { type BoostedTrees, boostedScore } from '../../../src/detectors/_models/boosted-trees.ts';
import {
  type CategoryHead,
  HEAD_CATEGORIES,
  HEAD_FEATURES,
  type ScoredPair,
  scorePairs,
  selectPairs,
  TRAIL_KINDS,
  type TrailHead,
  type TrailKind,
  trailKind,
  worthOf,
} from '../../trail/trail-head.ts';
import { ruleDetections } from '../../trail/trail-rules.ts';
import { fitBoosting } from '../gradient-boosting.ts';
import { groupedFolds } from '../grouped-folds.ts';
import { plattScaling, type Scored } from '../isotonic.ts';
import { pairKey, type TrailItem, type TrailPair } from './trail-items.ts';

/** Detections per trace that the threshold aims at, slightly below the number of annotations (5.6). */
const DETECTIONS_PER_TRACE = 5.3;
const INNER_FOLDS = 4;

const BOOSTING = { trees: 50, maxLeaves: 4, learningRate: 0.1, minRows: 4, l2: 5, rowShare: 0.8, featureShare: 0.3 };

type UnscaledHead = Omit<CategoryHead, 'slope' | 'offset' | 'rulePrecision'>;

/** The head fitted on all items; its scaling and threshold come from inner folds, so that they are not too optimistic. */
export function fitHead(items: readonly TrailItem[], seed: number): TrailHead {
  const inner = groupedFolds(items, ({ group }) => group, INNER_FOLDS, seed + 1000).filter(
    ({ train, test }) => train.length > 0 && test.length > 0,
  );
  const judged = inner.flatMap(({ fold, train, test }) => {
    const trees = fitTrees(train, seed * 100 + fold);
    return test.map((item) => ({ item, trees }));
  });
  const categories = fitTrees(items, seed * 100 + INNER_FOLDS).map((unscaled) => ({
    ...unscaled,
    ...scalingOf(judged.flatMap(({ item, trees }) => scoredRows(item, trees, unscaled.category))),
    rulePrecision: round(rulePrecisionOf(items, unscaled.category)),
  }));
  const scored = judged.map(({ item, trees }) => ({ item, pairs: pairsOf(item, trees, categories) }));
  const worths = scored.flatMap(({ pairs }) => worthOf(pairs).map(({ worth }) => worth));
  const threshold = thresholdOf(worths, items.length);
  const found = scored.map(({ item, pairs }) => ({ item, learned: selectPairs(pairs, threshold) }));
  return { categories, kinds: TRAIL_KINDS.filter((kind) => isWorthIt(ofKind(found, kind))), threshold };
}

interface Learned {
  item: TrailItem;
  learned: readonly TrailPair[];
}

function ofKind(found: readonly Learned[], kind: TrailKind): Learned[] {
  return found.filter(({ item }) => trailKind(item.run) === kind);
}

/** Whether the head finds more annotated pairs than the rules, by more than the standard error. */
function isWorthIt(found: readonly Learned[]): boolean {
  const gains = found
    .filter(({ item }) => item.gold.length > 0)
    .map(({ item, learned }) => jointOf(item, learned) - jointOf(item, ruleDetections(item.run)));
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / Math.max(1, gains.length);
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / Math.max(1, gains.length - 1);
  return gains.length >= MIN_TRACES && mean > Math.sqrt(variance / gains.length);
}

/** With fewer traces of a kind, the head overfits. */
const MIN_TRACES = 5;

function jointOf({ goldKeys }: TrailItem, pairs: readonly TrailPair[]): number {
  const hits = new Set(pairs.map(pairKey).filter((key) => goldKeys.has(key)));
  return hits.size / Math.max(1, goldKeys.size);
}

function fitTrees(items: readonly TrailItem[], seed: number): UnscaledHead[] {
  return HEAD_CATEGORIES.flatMap((category, at) => {
    const examples = items.flatMap((item) =>
      item.rows.map(({ spanId, values }) => ({ values, label: labelOf(item, spanId, category) })),
    );
    if (examples.every(({ label }) => label === 0)) return [];
    const forests = BAGGING_SEEDS.map((nth) =>
      fitBoosting(HEAD_FEATURES, examples, { ...BOOSTING, seed: (seed + 1000 * nth) * 100 + at + 1 }),
    );
    return [{ category, ...meanOf(forests) }];
  });
}

/** With so few traces, results differ between seeds; their mean is more stable. */
const BAGGING_SEEDS = [0, 1];

function meanOf(forests: readonly BoostedTrees[]): Pick<BoostedTrees, 'base' | 'trees'> {
  const share = 1 / forests.length;
  const trees = forests.flatMap((forest) =>
    forest.trees.map((tree) => ({ ...tree, leaf: tree.leaf.map((value) => round(value * share)) })),
  );
  return { base: forests.reduce((sum, { base }) => sum + base * share, 0), trees };
}

function pairsOf(item: TrailItem, trees: readonly UnscaledHead[], scaled: readonly CategoryHead[]): ScoredPair[] {
  const own = scaled.flatMap((head) => {
    const unscaled = trees.find(({ category }) => category === head.category);
    return unscaled === undefined ? [] : [{ ...head, ...unscaled }];
  });
  return scorePairs(item.rows, own);
}

function scoredRows(item: TrailItem, trees: readonly UnscaledHead[], category: string): Scored[] {
  const unscaled = trees.find((one) => one.category === category);
  if (unscaled === undefined) return [];
  const model = { features: HEAD_FEATURES, base: unscaled.base, trees: unscaled.trees };
  return item.rows.map(({ spanId, values }) => ({
    score: boostedScore(model, values),
    label: labelOf(item, spanId, category),
  }));
}

/** Boosted log-odds need little scaling. A fit with a large scale has not converged, and the log-odds are used unscaled. */
function scalingOf(rows: readonly Scored[]): { slope: number; offset: number } {
  if (rows.every(({ label }) => label === 0)) return { slope: 1, offset: 0 };
  const { slope, offset } = plattScaling(rows);
  return slope > 0.4 && slope < 2.5 ? { slope: round(slope), offset: round(offset) } : { slope: 1, offset: 0 };
}

function rulePrecisionOf(items: readonly TrailItem[], category: string): number {
  const ruled: number[] = items.flatMap((item) =>
    item.rows.filter((row) => row.ruled.has(category)).map(({ spanId }) => labelOf(item, spanId, category)),
  );
  return (ruled.reduce((sum, label) => sum + label, 0) + 0.3) / (ruled.length + 1);
}

function thresholdOf(worths: number[], traces: number): number {
  const sorted = worths.sort((a, b) => b - a);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(traces * DETECTIONS_PER_TRACE))]!);
}

function labelOf({ goldKeys }: TrailItem, spanId: string, category: string): 0 | 1 {
  return goldKeys.has(pairKey({ spanId, category })) ? 1 : 0;
}

function round(value: number): number {
  return Number(value.toPrecision(5));
}
