import type { SparseVector } from './hashed-ngrams.ts';

/** A fitted linear model: the logit is `bias` + dense·values + sparse·vector. */
export interface LinearModel {
  bias: number;
  /** Names of the dense features in the order of the caller's values. */
  features: readonly string[];
  dense: Float64Array;
  /** Weight of bucket i is `sparse[i] * scale`. */
  sparse: Int8Array;
  scale: number;
}

/** A model as stored in a generated JSON file. */
export interface LinearModelFile {
  bias: number;
  features: Readonly<Record<string, number>>;
  /** Int8 weights of the buckets as base64; empty if the model has none. */
  sparse: string;
  scale: number;
}

/** The log-odds. `dense` is in the order of `model.features`; a non-finite value counts as 0. */
export function linearLogit(model: LinearModel, dense: ArrayLike<number>, sparse: SparseVector | null = null): number {
  let logit = model.bias;
  for (let index = 0; index < model.dense.length; index += 1) {
    const value = dense[index]!;
    if (Number.isFinite(value)) logit += model.dense[index]! * value;
  }
  return sparse === null ? logit : logit + sparseLogit(model, sparse);
}

export function linearProbability(
  model: LinearModel,
  dense: ArrayLike<number>,
  sparse: SparseVector | null = null,
): number {
  return sigmoid(linearLogit(model, dense, sparse));
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function sparseLogit({ sparse, scale }: LinearModel, { indices, values }: SparseVector): number {
  let sum = 0;
  for (let index = 0; index < indices.length; index += 1) sum += (sparse[indices[index]!] ?? 0) * values[index]!;
  return sum * scale;
}

export function readLinearModel(file: LinearModelFile): LinearModel {
  const bytes = Buffer.from(file.sparse, 'base64');
  return {
    bias: file.bias,
    features: Object.keys(file.features),
    dense: Float64Array.from(Object.values(file.features)),
    sparse: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    scale: file.scale,
  };
}

/** Rounds dense weights to 5 digits and buckets to 255 levels; equal weights give equal bytes. */
export function packLinearModel(
  features: readonly string[],
  weights: { bias: number; dense: ArrayLike<number>; sparse: ArrayLike<number> },
): LinearModelFile {
  const sparse = Float64Array.from(weights.sparse);
  const largest = sparse.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
  const scale = largest === 0 ? 0 : Number((largest / 127).toPrecision(6));
  const levels = Int8Array.from(sparse, (weight) => (scale === 0 ? 0 : clamp(Math.round(weight / scale))));
  return {
    bias: rounded(weights.bias),
    features: Object.fromEntries(features.map((name, index) => [name, rounded(weights.dense[index]!)])),
    sparse: Buffer.from(levels.buffer).toString('base64'),
    scale,
  };
}

function clamp(level: number): number {
  return Math.max(-127, Math.min(127, level));
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
