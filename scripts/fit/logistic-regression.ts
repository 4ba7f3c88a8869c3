import type { SparseVector } from '../../src/detectors/_models/hashed-ngrams.ts';
import { type LinearModelFile, packLinearModel, sigmoid } from '../../src/detectors/_models/linear-model.ts';
import { minimise } from './minimise.ts';

export interface Example {
  /** In the order of the feature names. */
  dense: ArrayLike<number>;
  sparse: SparseVector | null;
  /** 0 or 1, or a probability between. */
  label: number;
  weight?: number;
}

export interface LogisticOptions {
  /** Strength of the penalty on standardised dense weights and on bucket weights, per unit of example weight. */
  l2Dense?: number;
  l2Sparse?: number;
  /** Buckets of the sparse part; 0 where examples have none. */
  sparseSize?: number;
  iterations?: number;
}

export interface LogisticWeights {
  bias: number;
  dense: Float64Array;
  sparse: Float64Array;
}

/**
 * Logistic regression with an L2 penalty, by L-BFGS: convex, so without seed. Dense features are standardised for the
 * fit and their weights given back in the features' own units; values that are not finite count as 0, as in inference.
 */
export function fitLogistic(examples: readonly Example[], options: LogisticOptions = {}): LogisticWeights {
  const { l2Dense = 1e-3, l2Sparse = 1e-4, sparseSize = 0, iterations = 150 } = options;
  const denseSize = examples[0]?.dense.length ?? 0;
  const total = examples.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const scales = standardisation(examples, denseSize, total);
  const table = tableOf(examples, scales, denseSize, total);
  const objective = (point: Float64Array, gradient: Float64Array) =>
    penalty(point, gradient, { denseSize, l2Dense, l2Sparse }) + lossOf(table, point, gradient);
  const point = minimise(objective, new Float64Array(1 + denseSize + sparseSize), { iterations });
  return inOwnUnits(point, scales);
}

export function packLogistic(features: readonly string[], weights: LogisticWeights): LinearModelFile {
  return packLinearModel(features, weights);
}

interface Standardisation {
  means: Float64Array;
  deviations: Float64Array;
}

function standardisation(examples: readonly Example[], size: number, total: number): Standardisation {
  const means = new Float64Array(size);
  const deviations = new Float64Array(size);
  for (const { dense, weight = 1 } of examples)
    for (let index = 0; index < size; index += 1) means[index]! += (finite(dense[index]!) * weight) / total;
  for (const { dense, weight = 1 } of examples)
    for (let index = 0; index < size; index += 1)
      deviations[index]! += ((finite(dense[index]!) - means[index]!) ** 2 * weight) / total;
  return { means, deviations: deviations.map((variance) => (variance < 1e-12 ? 1 : Math.sqrt(variance))) };
}

function standardised(dense: ArrayLike<number>, { means, deviations }: Standardisation): Float64Array {
  return means.map((mean, index) => (finite(dense[index]!) - mean) / deviations[index]!);
}

function inOwnUnits(point: Float64Array, { means, deviations }: Standardisation): LogisticWeights {
  const dense = deviations.map((deviation, index) => point[1 + index]! / deviation);
  const bias = dense.reduce((sum, weight, index) => sum - weight * means[index]!, point[0]!);
  return { bias, dense, sparse: point.slice(1 + dense.length) };
}

/** Writes the gradient of the penalty and returns its value; the bias has no penalty. */
function penalty(
  point: Float64Array,
  gradient: Float64Array,
  { denseSize, l2Dense, l2Sparse }: { denseSize: number; l2Dense: number; l2Sparse: number },
): number {
  let value = 0;
  gradient[0] = 0;
  for (let index = 1; index < point.length; index += 1) {
    const strength = index <= denseSize ? l2Dense : l2Sparse;
    value += 0.5 * strength * point[index]! * point[index]!;
    gradient[index] = strength * point[index]!;
  }
  return value;
}

/** All examples in a few long arrays: a fit reads them hundreds of times. */
interface Table {
  denseSize: number;
  /** Rows of standardised features, concatenated. */
  dense: Float64Array;
  /** Start of the buckets of each example; one entry more than there are examples. */
  starts: Int32Array;
  buckets: Int32Array;
  values: Float32Array;
  labels: Float64Array;
  shares: Float64Array;
}

function tableOf(examples: readonly Example[], scales: Standardisation, denseSize: number, total: number): Table {
  const starts = new Int32Array(examples.length + 1);
  for (const [at, { sparse }] of examples.entries()) starts[at + 1] = starts[at]! + (sparse?.indices.length ?? 0);
  const table: Table = {
    denseSize,
    dense: new Float64Array(examples.length * denseSize),
    starts,
    buckets: new Int32Array(starts[examples.length]!),
    values: new Float32Array(starts[examples.length]!),
    labels: Float64Array.from(examples, ({ label }) => label),
    shares: Float64Array.from(examples, ({ weight = 1 }) => weight / total),
  };
  for (const [at, { dense, sparse }] of examples.entries()) {
    table.dense.set(standardised(dense, scales), at * denseSize);
    if (sparse === null) continue;
    table.buckets.set(sparse.indices, starts[at]!);
    table.values.set(sparse.values, starts[at]!);
  }
  return table;
}

/** The loss of all examples; their slopes are added to the gradient. */
function lossOf(
  { denseSize, dense, starts, buckets, values, labels, shares }: Table,
  point: Float64Array,
  gradient: Float64Array,
): number {
  const offset = 1 + denseSize;
  let loss = 0;
  for (let at = 0; at < labels.length; at += 1) {
    const [row, from, to] = [at * denseSize, starts[at]!, starts[at + 1]!];
    let logit = point[0]!;
    for (let index = 0; index < denseSize; index += 1) logit += point[1 + index]! * dense[row + index]!;
    for (let index = from; index < to; index += 1) logit += point[offset + buckets[index]!]! * values[index]!;
    loss += shares[at]! * (softplus(logit) - labels[at]! * logit);
    const slope = shares[at]! * (sigmoid(logit) - labels[at]!);
    gradient[0]! += slope;
    for (let index = 0; index < denseSize; index += 1) gradient[1 + index]! += slope * dense[row + index]!;
    for (let index = from; index < to; index += 1) gradient[offset + buckets[index]!]! += slope * values[index]!;
  }
  return loss;
}

function softplus(logit: number): number {
  return logit > 0 ? logit + Math.log1p(Math.exp(-logit)) : Math.log1p(Math.exp(logit));
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
