import { type BoostedTrees, packBoostedTrees, type Tree } from '../../src/detectors/_models/boosted-trees.ts';
import { sigmoid } from '../../src/detectors/_models/linear-model.ts';
import { binColumns } from './feature-bins.ts';
import { growTree } from './grow-tree.ts';
import { seededRandom } from './seeded-random.ts';

export interface BoostingExample {
  /** In the order of the feature names; NaN where unknown. */
  values: ArrayLike<number>;
  label: number;
  weight?: number;
  /** For the listwise objective: exactly one list (a trace) this row (a step) belongs to. */
  list?: string;
}

export interface BoostingOptions {
  trees?: number;
  learningRate?: number;
  maxLeaves?: number;
  /** Minimum rows and minimum sum of second derivatives in a leaf. */
  minRows?: number;
  minHessian?: number;
  l2?: number;
  /** Share of rows and of features that each tree uses. */
  rowShare?: number;
  featureShare?: number;
  maxBins?: number;
  seed?: number;
  /** `logistic`: label is a probability. `listwise`: which row of its list is the positive one (softmax over the list). */
  objective?: 'logistic' | 'listwise';
}

/** Gradient-boosted trees on histograms, leaf by leaf (Friedman 2001; Ke et al. 2017). Same seed, same model. */
export function fitBoosting(
  features: readonly string[],
  examples: readonly BoostingExample[],
  options: BoostingOptions = {},
): BoostedTrees {
  const { trees = 60, learningRate = 0.1, rowShare = 1, featureShare = 1, maxBins = 64, seed = 1 } = options;
  const { objective = 'logistic' } = options;
  const random = seededRandom(seed);
  const binned = binColumns(
    examples.map(({ values }) => values),
    features.length,
    maxBins,
  );
  const base = objective === 'logistic' ? baseLogit(examples) : 0;
  const scores = new Float64Array(examples.length).fill(base);
  const derive = objective === 'logistic' ? logisticDerivatives : listwiseDerivatives(examples);
  const grown: Tree[] = [];
  for (let round = 0; round < trees; round += 1) {
    const derivatives = derive(examples, scores);
    const tree = growTree(binned, derivatives, {
      rows: sampled(examples.length, rowShare, random),
      features: sampled(features.length, featureShare, random),
      learningRate,
      ...treeLimits(options),
    });
    if (tree === null) continue;
    addScores(scores, tree.leafOfRow(binned), tree.tree);
    grown.push(tree.tree);
  }
  return packBoostedTrees({ features, base, trees: grown });
}

export interface Derivatives {
  gradient: Float64Array;
  hessian: Float64Array;
}

function treeLimits({ maxLeaves = 8, minRows = 5, minHessian = 1e-3, l2 = 1 }: BoostingOptions) {
  return { maxLeaves, minRows, minHessian, l2 };
}

function addScores(scores: Float64Array, leaves: Int32Array, tree: Tree): void {
  for (let row = 0; row < scores.length; row += 1) scores[row]! += tree.leaf[leaves[row]!]!;
}

function baseLogit(examples: readonly BoostingExample[]): number {
  let [hits, total] = [0, 0];
  for (const { label, weight = 1 } of examples) {
    hits += label * weight;
    total += weight;
  }
  const rate = Math.min(1 - 1e-6, Math.max(1e-6, hits / total));
  return Math.log(rate / (1 - rate));
}

function logisticDerivatives(examples: readonly BoostingExample[], scores: Float64Array): Derivatives {
  const gradient = new Float64Array(scores.length);
  const hessian = new Float64Array(scores.length);
  for (const [row, { label, weight = 1 }] of examples.entries()) {
    const p = sigmoid(scores[row]!);
    gradient[row] = (p - label) * weight;
    hessian[row] = Math.max(1e-9, p * (1 - p)) * weight;
  }
  return { gradient, hessian };
}

/** Softmax over each list; lists without a positive row have no gradient. */
function listwiseDerivatives(examples: readonly BoostingExample[]) {
  const lists = [...Map.groupBy(examples.keys(), (row) => examples[row]!.list ?? '').values()];
  return (_: readonly BoostingExample[], scores: Float64Array): Derivatives => {
    const gradient = new Float64Array(scores.length);
    const hessian = new Float64Array(scores.length);
    for (const rows of lists) deriveList(rows, examples, scores, { gradient, hessian });
    return { gradient, hessian };
  };
}

function deriveList(
  rows: readonly number[],
  examples: readonly BoostingExample[],
  scores: Float64Array,
  { gradient, hessian }: Derivatives,
): void {
  const hits = rows.reduce((sum, row) => sum + examples[row]!.label, 0);
  if (hits === 0) return;
  const highest = rows.reduce((max, row) => Math.max(max, scores[row]!), Number.NEGATIVE_INFINITY);
  const powers = rows.map((row) => Math.exp(scores[row]! - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  for (const [index, row] of rows.entries()) {
    const { label, weight = 1 } = examples[row]!;
    const p = powers[index]! / total;
    gradient[row] = (p - label / hits) * weight;
    hessian[row] = Math.max(1e-9, p * (1 - p)) * weight;
  }
}

/** A share of the numbers below `n` in rising order, at least one. */
function sampled(n: number, share: number, random: () => number): Int32Array {
  if (share >= 1) return Int32Array.from({ length: n }, (_, index) => index);
  const kept = Array.from({ length: n }, (_, index) => index).filter(() => random() < share);
  return Int32Array.from(kept.length > 0 ? kept : [Math.floor(random() * n)]);
}
