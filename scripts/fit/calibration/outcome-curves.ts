import type { Calibration, CurvePoint } from '../../../src/detectors/_kit/calibration.ts';
import { sigmoid } from '../../../src/detectors/_models/linear-model.ts';
import { fitLogistic } from '../logistic-regression.ts';
import type { RunDetection } from './run-detections.ts';

/** A detector with fewer labelled detections, or detections on fewer tasks, stays uncalibrated. */
const MIN_DETECTIONS = 10;
const MIN_TASKS = 5;
/** Weight of a prior in detections: of all detectors for a detector, and of a detector for its subtype. */
const PRIOR_WEIGHT = 20;
/** Log-odds per unit of score. Few detections have a high score, so an unbounded slope would overestimate the top. */
const MAX_SLOPE = 2;
/** A few hundred detections cannot show a higher probability than this. */
const MAX_PROBABILITY = 0.95;
/** Score from which a detection fires by default; lower scores are stored as observations at most. */
export const FIRING_SCORE = 0.43;
/** A firing threshold above the ceiling of uncalibrated confidence could not be distinguished from it. */
const MAX_THRESHOLD = 0.7;
const KNOTS = [FIRING_SCORE, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Probability that a run failed in which a detection of this subtype and score fired. */
export interface OutcomeModel {
  probabilityOf(type: string, subtype: string, score: number): number;
}

/**
 * One curve over the score for all detectors, shifted for each detector and from there for each subtype. Shares of failed
 * runs are pulled towards the expectation of the level above (beta-binomial with a weight of `PRIOR_WEIGHT` detections), so
 * a subtype with few detections follows its detector. The curve rises with the score. Detections of one subtype on one task
 * count as one, because many runs can have the same task.
 */
export function fitOutcome(detections: readonly RunDetection[]): OutcomeModel {
  const weighted = weightedByTask(detections);
  const base = baseCurve(weighted);
  const shifts = new Map<string, number>();
  for (const [type, own] of Map.groupBy(weighted, ({ detection }) => detection.type)) {
    const shift = shiftOf(own, base, 0);
    shifts.set(type, shift);
    for (const [subtype, some] of Map.groupBy(own, ({ detection }) => detection.subtype))
      shifts.set(`${type} ${subtype}`, shiftOf(some, base, shift));
  }
  return {
    probabilityOf(type, subtype, score) {
      const shift = shifts.get(`${type} ${subtype}`) ?? shifts.get(type) ?? 0;
      return Math.min(MAX_PROBABILITY, sigmoid(base(score) + shift));
    },
  };
}

interface WeightedDetection {
  detection: RunDetection;
  weight: number;
}

/** Log-odds at a score, before any shift. */
type BaseCurve = (score: number) => number;

function weightedByTask(detections: readonly RunDetection[]): WeightedDetection[] {
  const taskOf = ({ type, subtype, group }: RunDetection) => `${type} ${subtype} ${group}`;
  const tasks = Map.groupBy(detections, taskOf);
  return detections.map((detection) => ({ detection, weight: 1 / tasks.get(taskOf(detection))!.length }));
}

function baseCurve(weighted: readonly WeightedDetection[]): BaseCurve {
  const examples = weighted.map(({ detection, weight }) => ({
    dense: [detection.score],
    sparse: null,
    label: Number(detection.hasFailed),
    weight,
  }));
  const { bias, dense } = fitLogistic(examples, { l2Dense: 0 });
  const fitted = dense[0]!;
  const slope = Math.min(MAX_SLOPE, Math.max(0, fitted));
  const middle =
    sum(weighted, ({ detection, weight }) => weight * detection.score) / sum(weighted, ({ weight }) => weight);
  return (score) => bias + fitted * middle + slope * (score - middle);
}

function shiftOf(weighted: readonly WeightedDetection[], base: BaseCurve, above: number): number {
  const total = sum(weighted, ({ weight }) => weight);
  const failed = sum(weighted, ({ detection, weight }) => (detection.hasFailed ? weight : 0));
  const expected = sum(weighted, ({ detection, weight }) => weight * sigmoid(base(detection.score) + above)) / total;
  const posterior = (failed + PRIOR_WEIGHT * expected) / (total + PRIOR_WEIGHT);
  return above + logOdds(posterior) - logOdds(expected);
}

/** The calibration of one detector; null if it has too few labelled detections. */
export function calibrationOf(
  type: string,
  detections: readonly RunDetection[],
  model: OutcomeModel,
  base: number,
): Calibration | null {
  const own = detections.filter((detection) => detection.type === type);
  if (own.length < MIN_DETECTIONS || new Set(own.map(({ group }) => group)).size < MIN_TASKS) return null;
  const names = [...new Set(own.map(({ subtype }) => subtype))].sort();
  const lowest = Math.min(...names.map((subtype) => model.probabilityOf(type, subtype, FIRING_SCORE)));
  const threshold = Math.min(MAX_THRESHOLD, floored(lowest));
  return {
    threshold,
    curve: [],
    subtypes: Object.fromEntries(names.map((name) => [name, curveOf(type, name, model, threshold)])),
    label: 'run_failed',
    from: FIRING_SCORE,
    prior: rounded(base),
    samples: own.length,
  };
}

/** Scores that do not fire carry no information about the run: a linear ramp keeps them below those that fire. */
function curveOf(type: string, subtype: string, model: OutcomeModel, threshold: number): CurvePoint[] {
  const ramp: CurvePoint[] = [
    [0, 0],
    [FIRING_SCORE - 0.0001, rounded(threshold - 0.001)],
  ];
  return [...ramp, ...KNOTS.map((score) => [score, rounded(model.probabilityOf(type, subtype, score))] as const)];
}

function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function floored(value: number): number {
  return Math.floor(value * 100) / 100;
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
