import { type BoostedTrees, boostedScore, boostedScores } from '../_models/boosted-trees.ts';
import type { ProbabilityCurve } from '../_models/calibration-curve.ts';
import { type LinearModel, type LinearModelFile, linearLogit, readLinearModel } from '../_models/linear-model.ts';
import type { RunShape } from './run-shape.ts';
import { STEP_FEATURE_NAMES } from './step-features.ts';

/** How a ranking model stands in its generated file. Scores of both parts are added. */
export interface StepModelFile {
  linear: LinearModelFile;
  trees: BoostedTrees;
  /** From the share of the best step to the probability that it is the decisive one. */
  curve: ProbabilityCurve;
  /** Among peers a fault is spread over what one agent said: `sum` of its steps. Where one plans for others: `top` step's. */
  agentBy: 'sum' | 'top';
}

export interface StepModel {
  linear: LinearModel;
  trees: BoostedTrees;
  curve: ProbabilityCurve;
  agentBy: 'sum' | 'top';
}

export type StepModels = Readonly<Record<RunShape, StepModel>>;

/** @throws when the file was fitted for other features */
export function readStepModels(files: Readonly<Record<RunShape, StepModelFile>>): StepModels {
  const read = ({ linear, trees, curve, agentBy }: StepModelFile): StepModel => {
    const names = STEP_FEATURE_NAMES.join();
    const model = readLinearModel(linear);
    if (model.features.join() !== names || trees.features.join() !== names)
      throw new Error('the step model is of other features: fit it anew');
    return { linear: model, trees, curve, agentBy };
  };
  return {
    group: read(files.group),
    orchestrated: read(files.orchestrated),
    single: read(files.single),
    other: read(files.other),
  };
}

export function stepScore(model: StepModel, row: ArrayLike<number>): number {
  return linearLogit(model.linear, row) + boostedScore(model.trees, row);
}

/** The same for all steps of a run at once. */
export function stepScores(model: StepModel, rows: readonly ArrayLike<number>[]): number[] {
  const byTrees = boostedScores(model.trees, rows);
  return rows.map((row, nth) => linearLogit(model.linear, row) + byTrees[nth]!);
}

/** Shares of the steps of one run: softmax of their scores. */
export function shares(scores: readonly number[]): number[] {
  const highest = scores.reduce((max, score) => Math.max(max, score), Number.NEGATIVE_INFINITY);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
