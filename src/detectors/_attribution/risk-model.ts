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
  /** Score from which a run is said to have failed; null where the model orders runs and cannot say so. */
  alarm: number | null;
  /** Hashed names of the tools in the runs it was fitted on, rising. */
  tools: readonly number[];
}

export interface RiskModel {
  linear: LinearModel;
  trees: BoostedTrees;
  curve: ProbabilityCurve;
  alarm: number | null;
  tools: ReadonlySet<number>;
}

/** A run as the models take it. */
export interface RiskRow {
  kind: RunKind;
  values: Float64Array;
  grams: SparseVector;
  /** Hashed names of the tools it called, each once. */
  tools: readonly number[];
}

/** @throws when the file was fitted for other features */
export function readRiskModel({ linear, trees, curve, alarm, tools }: RiskModelFile): RiskModel {
  const model = readLinearModel(linear);
  const names = RUN_FEATURE_NAMES.join();
  if (model.features.join() !== names || trees.features.join() !== names)
    throw new Error('the risk model is of other features: fit it anew');
  return { linear: model, trees, curve, alarm, tools: new Set(tools) };
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

/**
 * The probability that the run failed, where the model can say so: the run works with the tools the model was fitted
 * on, and few runs of those that went well score as high. Null otherwise.
 */
export function alarmOf(model: RiskModel, row: RiskRow): number | null {
  if (!canSpeak(model, row.tools)) return null;
  const score = riskScore(model, row);
  return score < model.alarm! ? null : probabilityOf(model.curve, score);
}

/** Share of a run's tools that the model has to know: what failing looks like differs from one system to the next. */
const FAMILIAR_SHARE = 0.6;

/** Whether the model may raise an alarm on a run with these tools (hashed names). */
export function canSpeak({ alarm, tools }: RiskModel, called: readonly number[]): boolean {
  const known = called.filter((tool) => tools.has(tool)).length;
  return alarm !== null && known > 0 && known >= FAMILIAR_SHARE * called.length;
}
