import { probabilityOf } from '../_models/calibration-curve.ts';
import { reasonsFor } from './reasons.ts';
import { type RunShape, runShape } from './run-shape.ts';
import type { StepFeatures } from './step-features.ts';
import { type StepModel, shares, stepScores } from './step-model.ts';

/** The decisive step of a failed run, and the responsible agent. */
export interface Attribution {
  /** Null if the sender named no agent. */
  agent: string | null;
  /** Index into `Trace.steps`. */
  step: number;
  /** Calibrated probability that exactly this step is the decisive one. */
  confidence: number;
  /** Reasons for the step, the strongest first; may be empty. */
  why: string[];
  /** At most three most likely steps, the most likely first. */
  top: RankedStep[];
  /** False if the ranking was fitted to no runs of this shape. */
  isKnownShape: boolean;
}

export interface RankedStep {
  step: number;
  agent: string | null;
  /** Share of this step in the total score; all shares sum to 1. */
  score: number;
  why: string[];
}

const MAX_STEPS = 3;

/** Null if no step can be ranked. */
export function rankBy(features: StepFeatures, models: (shape: RunShape) => StepModel): Attribution | null {
  const candidates = candidatesOf(features);
  if (candidates.length === 0) return null;
  const shape = runShape(features.views);
  const model = models(shape);
  const { rows } = features;
  const scores = shares(
    stepScores(
      model,
      candidates.map((row) => rows[row]!),
    ),
  );
  const order = scores.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const top = order.slice(0, MAX_STEPS).map((at) => ({
    step: features.steps[candidates[at]!]!,
    agent: agentOf(features, candidates[at]!),
    score: scores[at]!,
    why: reasonsFor(features, candidates[at]!, model),
  }));
  const best = top[0]!;
  return {
    agent: model.agentBy === 'top' ? best.agent : likeliestAgent(features, candidates, scores),
    step: best.step,
    confidence: probabilityOf(model.curve, best.score),
    why: best.why,
    top,
    isKnownShape: shape !== 'other',
  };
}

/** Steps that can be decisive. A system prompt cannot: runs with it also succeed. */
export function candidatesOf({ views }: StepFeatures): number[] {
  return views.flatMap(({ act }, row) => (act.kind === 'system' ? [] : [row]));
}

function likeliestAgent(
  features: StepFeatures,
  candidates: readonly number[],
  scores: readonly number[],
): string | null {
  const sums = new Map<string | null, number>();
  candidates.forEach((row, at) => {
    const agent = agentOf(features, row);
    sums.set(agent, (sums.get(agent) ?? 0) + scores[at]!);
  });
  return [...sums].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function agentOf({ views }: StepFeatures, row: number): string | null {
  const { act } = views[row]!;
  return act.hasAgent ? act.agent : null;
}
