import { sigmoid } from './linear-model.ts';

/** A sum of regression trees. Inner node i goes left where `features[i] <= threshold` or is not a number. */
export interface BoostedTrees {
  /** Names of the features in the order the caller gives their values. */
  features: readonly string[];
  base: number;
  trees: readonly Tree[];
}

/** Nodes in one list each; a child is the number of an inner node, or `-1 - n` for leaf n. A bare leaf has no nodes. */
export interface Tree {
  feature: readonly number[];
  threshold: readonly number[];
  left: readonly number[];
  right: readonly number[];
  leaf: readonly number[];
}

/** The raw score (log-odds for a model fitted with the logistic objective). */
export function boostedScore(model: BoostedTrees, values: ArrayLike<number>): number {
  let score = model.base;
  for (const tree of model.trees) score += leafOf(tree, values);
  return score;
}

export function boostedProbability(model: BoostedTrees, values: ArrayLike<number>): number {
  return sigmoid(boostedScore(model, values));
}

function leafOf({ feature, threshold, left, right, leaf }: Tree, values: ArrayLike<number>): number {
  let node = feature.length === 0 ? -1 : 0;
  while (node >= 0) {
    const isRight = values[feature[node]!]! > threshold[node]!;
    node = isRight ? right[node]! : left[node]!;
  }
  return leaf[-1 - node]!;
}

/** Rounds leaves to 5 digits; thresholds come rounded as far as the values between them allow. */
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
