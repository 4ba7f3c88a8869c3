import { type BoostedTrees, boostedScore, boostedScores } from '../_models/boosted-trees.ts';
import type { ProbabilityCurve } from '../_models/calibration-curve.ts';
import { type LinearModel, type LinearModelFile, linearLogit, readLinearModel } from '../_models/linear-model.ts';
import type { RunShape } from './run-shape.ts';
import { STEP_FEATURE_NAMES } from './step-features.ts';

/** A ranking model as stored in its generated file. The scores of both parts are added. */
export interface StepModelFile {
  linear: LinearModelFile;
  trees: BoostedTrees;
  /** Curve from the share of the best step to the probability that it is the decisive one. */
  curve: ProbabilityCurve;
  /**
   * How to choose the agent. `sum`: by the sum over its steps, since a fault among peers spreads over several messages of
   * an agent. `top`: the agent of the best step, if one agent plans for others.
   */
  agentBy: 'sum' | 'top';
}

export interface StepModel {
  linear: LinearModel;
  trees: BoostedTrees;
  curve: ProbabilityCurve;
  agentBy: 'sum' | 'top';
}

export type StepModels = Readonly<Record<RunShape, StepModel>>;

/** @throws if the file was fitted to other features */
export function readStepModels(files: Readonly<Record<RunShape, StepModelFile>>): StepModels {
  const read = ({ linear, trees, curve, agentBy }: StepModelFile): StepModel => {
    const names = STEP_FEATURE_NAMES.join();
    const model = readLinearModel(linear);
    if (model.features.join() !== names || trees.features.join() !== names)
      throw new Error('the step model has other features: fit it again');
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

/** The scores of all steps of a run. */
export function stepScores(model: StepModel, rows: readonly ArrayLike<number>[]): number[] {
  const byTrees = boostedScores(model.trees, rows);
  return rows.map((row, nth) => linearLogit(model.linear, row) + byTrees[nth]!);
}

/** Shares of the steps of a run: softmax of their scores. */
export function shares(scores: readonly number[]): number[] {
  const highest = scores.reduce((max, score) => Math.max(max, score), Number.NEGATIVE_INFINITY);
  const powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
