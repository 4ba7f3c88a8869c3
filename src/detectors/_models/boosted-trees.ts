import { lazy, memoizeByRef } from '../_kit/memoize.ts';
import { sigmoid } from './linear-model.ts';

/** A sum of regression trees. Inner node i goes left if `features[i] <= threshold` or the feature is not a number. */
export interface BoostedTrees {
  /** Names of the features in the order of the caller's values. */
  features: readonly string[];
  base: number;
  trees: readonly Tree[];
}

/** Parallel arrays of nodes. A child is the index of an inner node, or `-1 - n` for leaf n. A tree of one leaf has no nodes. */
export interface Tree {
  feature: readonly number[];
  threshold: readonly number[];
  left: readonly number[];
  right: readonly number[];
  leaf: readonly number[];
}

/** The raw score (log-odds for a model fitted with the logistic objective). */
export function boostedScore(model: BoostedTrees, values: ArrayLike<number>): number {
  return sumOf(model.base, leafValues(model, values));
}

/** Number of rows evaluated together: their values and one tree fit into the processor cache. */
const ROWS_PER_PASS = 32;

/** The scores of many rows; equal to scoring them one by one, in half the time. */
export function boostedScores(model: BoostedTrees, rows: readonly ArrayLike<number>[]): Float64Array {
  const scores = new Float64Array(rows.length).fill(model.base);
  for (let from = 0; from < rows.length; from += ROWS_PER_PASS) {
    addTrees(flatTrees(model), rows.slice(from, from + ROWS_PER_PASS), scores.subarray(from, from + ROWS_PER_PASS));
  }
  return scores;
}

function addTrees(flat: FlatTrees, rows: readonly ArrayLike<number>[], scores: Float64Array): void {
  const { roots, features, thresholds, children, leaves } = flat;
  const width = rows[0]!.length;
  const values = new Float64Array(width * rows.length);
  rows.forEach((row, nth) => {
    values.set(row, nth * width);
  });
  for (let tree = 0; tree < roots.length; tree += 1) {
    const root = roots[tree]!;
    for (let row = 0; row < scores.length; row += 1) {
      let node = root;
      // Computes the side as a number because an unpredictable branch is slow.
      while (node >= 0) node = children[2 * node + Number(values[row * width + features[node]!]! > thresholds[node]!)]!;
      scores[row]! += leaves[-1 - node]!;
    }
  }
}

/** The contribution of each tree to the score, in order. */
export function leafValues(model: BoostedTrees, values: ArrayLike<number>): Float64Array {
  const { roots, features, thresholds, children, leaves } = flatTrees(model);
  const added = new Float64Array(roots.length);
  for (let nth = 0; nth < added.length; nth += 1) {
    let node = roots[nth]!;
    while (node >= 0) node = children[2 * node + Number(values[features[node]!]! > thresholds[node]!)]!;
    added[nth] = leaves[-1 - node]!;
  }
  return added;
}

/** The score after only these features changed, given the contributions `before` the change. */
export function changedScore(
  model: BoostedTrees,
  before: Float64Array,
  values: ArrayLike<number>,
  changed: readonly number[],
): number {
  const trees = flatTrees(model);
  const added = before.slice();
  for (const feature of changed)
    for (const nth of trees.byFeature().get(feature) ?? []) added[nth] = leafValue(trees, nth, values);
  return sumOf(model.base, added);
}

function sumOf(base: number, added: Float64Array): number {
  let score = base;
  for (let nth = 0; nth < added.length; nth += 1) score += added[nth]!;
  return score;
}

function leafValue(
  { roots, features, thresholds, children, leaves }: FlatTrees,
  nth: number,
  values: ArrayLike<number>,
) {
  let node = roots[nth]!;
  while (node >= 0) node = children[2 * node + Number(values[features[node]!]! > thresholds[node]!)]!;
  return leaves[-1 - node]!;
}

export function boostedProbability(model: BoostedTrees, values: ArrayLike<number>): number {
  return sigmoid(boostedScore(model, values));
}

/** Parallel arrays for all trees: traversal takes most of the time of scoring. */
interface FlatTrees {
  /** Root node of each tree, or `-1 - n` for leaf n. */
  roots: Int32Array;
  features: Int32Array;
  thresholds: Float64Array;
  /** Left and right child of each inner node. */
  children: Int32Array;
  leaves: Float64Array;
  /** The trees that use a feature; computed on first access. */
  byFeature: () => ReadonlyMap<number, readonly number[]>;
}

const flatTrees = memoizeByRef(({ trees }: BoostedTrees) => flatten(trees));

function flatten(trees: readonly Tree[]): FlatTrees {
  const nodeCount = trees.reduce((sum, { feature }) => sum + feature.length, 0);
  const leafCount = trees.reduce((sum, { leaf }) => sum + leaf.length, 0);
  const flat = {
    roots: new Int32Array(trees.length),
    features: new Int32Array(nodeCount),
    thresholds: new Float64Array(nodeCount),
    children: new Int32Array(2 * nodeCount),
    leaves: new Float64Array(leafCount),
  };
  let [firstNode, firstLeaf] = [0, 0];
  for (const [nth, { feature, threshold, left, right, leaf }] of trees.entries()) {
    const placed = (child: number) => (child >= 0 ? child + firstNode : child - firstLeaf);
    flat.roots[nth] = placed(feature.length === 0 ? -1 : 0);
    flat.features.set(feature, firstNode);
    flat.thresholds.set(threshold, firstNode);
    flat.leaves.set(leaf, firstLeaf);
    for (let node = 0; node < feature.length; node += 1) {
      flat.children[2 * (firstNode + node)] = placed(left[node]!);
      flat.children[2 * (firstNode + node) + 1] = placed(right[node]!);
    }
    firstNode += feature.length;
    firstLeaf += leaf.length;
  }
  return { ...flat, byFeature: lazy(() => treesByFeature(trees)) };
}

function treesByFeature(trees: readonly Tree[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [nth, { feature }] of trees.entries()) {
    for (const at of new Set(feature)) {
      const known = found.get(at);
      if (known === undefined) found.set(at, [nth]);
      else known.push(nth);
    }
  }
  return found;
}

/** Rounds leaves to 5 digits. Thresholds are already rounded as far as the values between them allow. */
export function packBoostedTrees({ features, base, trees }: BoostedTrees): BoostedTrees {
  return {
    features: [...features],
    base: rounded(base),
    trees: trees.map(({ feature, threshold, left, right, leaf }) => ({
      feature: [...feature],
      threshold: [...threshold],
      left: [...left],
      right: [...right],
      leaf: leaf.map(rounded),
    })),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
