import type { Calibration, CurvePoint } from '../../../src/detectors/_kit/calibration.ts';
import { sigmoid } from '../../../src/detectors/_models/linear-model.ts';
import { fitLogistic } from '../logistic-regression.ts';
import type { RunDetection } from './run-detections.ts';

/** Fewer labelled detections, or detections on fewer tasks, teach nothing about a detector: it stays uncalibrated. */
const LEAST_DETECTIONS = 10;
const LEAST_TASKS = 5;
/** Detections that a prior weighs: of all detectors on a detector, and of a detector on its subtype. */
const PRIOR_WEIGHT = 20;
/** Log-odds per unit of score. Few detections score high, so a free slope would promise too much at the top. */
const STEEPEST = 2;
/** A few hundred detections cannot show that more than this comes true. */
const SUREST = 0.95;
/** Score from which a detection fires by default; what scores less is kept as an observation at most. */
export const FIRING_SCORE = 0.43;
/** A firing threshold above the ceiling of uncalibrated confidence could not be distinguished from it. */
const HIGHEST_THRESHOLD = 0.7;
const KNOTS = [FIRING_SCORE, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** How likely a run failed in which a detection of this subtype and score fired. */
export interface OutcomeModel {
  chanceOf(type: string, subtype: string, score: number): number;
}

/**
 * One curve of score for all detectors, moved up or down for each detector and, from there, for each subtype: shares of
 * failed runs are drawn to what the level above expects (beta-binomial, `PRIOR_WEIGHT` detections strong), so a subtype
 * with few detections says what its detector says. Rises with the score everywhere. Detections of one subtype on one task
 * count together as one, for a task may stand in many runs.
 */
export function fitOutcome(detections: readonly RunDetection[]): OutcomeModel {
  const weighed = weightedByTask(detections);
  const base = baseCurve(weighed);
  const shifts = new Map<string, number>();
  for (const [type, own] of Map.groupBy(weighed, ({ detection }) => detection.type)) {
    const shift = shiftOf(own, base, 0);
    shifts.set(type, shift);
    for (const [subtype, some] of Map.groupBy(own, ({ detection }) => detection.subtype))
      shifts.set(`${type} ${subtype}`, shiftOf(some, base, shift));
  }
  return {
    chanceOf(type, subtype, score) {
      const shift = shifts.get(`${type} ${subtype}`) ?? shifts.get(type) ?? 0;
      return Math.min(SUREST, sigmoid(base(score) + shift));
    },
  };
}

interface Weighed {
  detection: RunDetection;
  weight: number;
}

/** Log-odds at a score, before any shift. */
type BaseCurve = (score: number) => number;

function weightedByTask(detections: readonly RunDetection[]): Weighed[] {
  const taskOf = ({ type, subtype, group }: RunDetection) => `${type} ${subtype} ${group}`;
  const tasks = Map.groupBy(detections, taskOf);
  return detections.map((detection) => ({ detection, weight: 1 / tasks.get(taskOf(detection))!.length }));
}

function baseCurve(weighed: readonly Weighed[]): BaseCurve {
  const examples = weighed.map(({ detection, weight }) => ({
    dense: [detection.score],
    sparse: null,
    label: Number(detection.hasFailed),
    weight,
  }));
  const { bias, dense } = fitLogistic(examples, { l2Dense: 0 });
  const fitted = dense[0]!;
  const slope = Math.min(STEEPEST, Math.max(0, fitted));
  const middle =
    sum(weighed, ({ detection, weight }) => weight * detection.score) / sum(weighed, ({ weight }) => weight);
  return (score) => bias + fitted * middle + slope * (score - middle);
}

function shiftOf(weighed: readonly Weighed[], base: BaseCurve, above: number): number {
  const total = sum(weighed, ({ weight }) => weight);
  const failed = sum(weighed, ({ detection, weight }) => (detection.hasFailed ? weight : 0));
  const expected = sum(weighed, ({ detection, weight }) => weight * sigmoid(base(detection.score) + above)) / total;
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
  if (own.length < LEAST_DETECTIONS || new Set(own.map(({ group }) => group)).size < LEAST_TASKS) return null;
  const names = [...new Set(own.map(({ subtype }) => subtype))].sort();
  const lowest = Math.min(...names.map((subtype) => model.chanceOf(type, subtype, FIRING_SCORE)));
  const threshold = Math.min(HIGHEST_THRESHOLD, floored(lowest));
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

/** What does not fire says nothing about the run: an even ramp keeps it below what does. */
function curveOf(type: string, subtype: string, model: OutcomeModel, threshold: number): CurvePoint[] {
  const ramp: CurvePoint[] = [
    [0, 0],
    [FIRING_SCORE - 0.0001, rounded(threshold - 0.001)],
  ];
  return [...ramp, ...KNOTS.map((score) => [score, rounded(model.chanceOf(type, subtype, score))] as const)];
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
