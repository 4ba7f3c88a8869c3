import { type BoostedTrees, boostedScore } from '../_models/boosted-trees.ts';
import { type ProbabilityCurve, probabilityOf } from '../_models/calibration-curve.ts';
import type { SparseVector } from '../_models/hashed-ngrams.ts';
import { type LinearModel, type LinearModelFile, linearLogit, readLinearModel } from '../_models/linear-model.ts';
import { RUN_FEATURE_NAMES } from './run-features.ts';
import { RUN_KINDS, type RunKind } from './run-kind.ts';

/** How a risk model stands in its generated file. Scores of both parts are added. */
export interface RiskModelFile {
  linear: LinearModelFile;
  trees: BoostedTrees;
  curve: ProbabilityCurve;
}

export interface RiskModel {
  linear: LinearModel;
  trees: BoostedTrees;
  curve: ProbabilityCurve;
}

/** A run as the models take it. */
export interface RiskRow {
  kind: RunKind;
  values: Float64Array;
  grams: SparseVector;
}

/** @throws when the file was fitted for other features */
export function readRiskModel({ linear, trees, curve }: RiskModelFile): RiskModel {
  const model = readLinearModel(linear);
  const names = RUN_FEATURE_NAMES.join();
  if (model.features.join() !== names || trees.features.join() !== names)
    throw new Error('the risk model is of other features: fit it anew');
  return { linear: model, trees, curve };
}

export function readRiskModels(files: Readonly<Record<RunKind, RiskModelFile>>): Readonly<Record<RunKind, RiskModel>> {
  return Object.fromEntries(RUN_KINDS.map((kind) => [kind, readRiskModel(files[kind])])) as Record<RunKind, RiskModel>;
}

/** Comparable among runs of one kind only. */
export function riskScore(model: RiskModel, { values, grams }: RiskRow): number {
  return linearLogit(model.linear, values, grams) + boostedScore(model.trees, values);
}

export function riskOf(model: RiskModel, row: RiskRow): number {
  return probabilityOf(model.curve, riskScore(model, row));
}
