import { DEFAULT_THRESHOLDS } from '../../../src/core/thresholds.ts';
import type { Calibration, CurvePoint } from '../../../src/detectors/_kit/calibration.ts';
import { type ProbabilityCurve, probabilityOf } from '../../../src/detectors/_models/calibration-curve.ts';
import { injection } from '../../../src/detectors/injection/detector.ts';
import { probabilityFrom } from '../../../src/detectors/injection/text-model.ts';
import type { Curves } from '../injection.ts';
import { isotonicCurve, type Scored } from '../isotonic.ts';
import type { LabelledRecord } from '../load-set.ts';
import { type RawScore, traceOf } from './fold-scores.ts';
import { type ItemScore, scoreOf } from './measure.ts';

/** Maps the score of the rules to a probability. Rules are not fitted, so all texts are used. */
export function rulesCurve(items: readonly ItemScore[]): ProbabilityCurve {
  const weights = weightsOf(items);
  const samples = items.map((one, at) => ({
    score: one.rules,
    label: Number(one.item.isAttack),
    weight: weights[at]!,
  }));
  return [[0, 0], ...isotonicCurve(samples).filter(([score]) => score > 0.05)];
}

/** Both classes have the same weight, and each set has the same weight in its class. */
function weightsOf(items: readonly ItemScore[]): number[] {
  const key = ({ item }: ItemScore) => `${item.isAttack} ${item.set}`;
  const counts = new Map<string, number>();
  for (const one of items) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  const sets = { true: 0, false: 0 };
  for (const name of counts.keys()) sets[name.startsWith('true') ? 'true' : 'false'] += 1;
  return items.map((one) => items.length / 2 / counts.get(key(one))! / sets[`${one.item.isAttack}`]);
}

/** Score from which a detection fires: see `_kit/calibration.ts`. */
const FIRING_SCORE = 0.43;
/** Tolerated share of runs without an attack on which the model alone fires. */
const TOLERATED = 0.002;
const MIN_ALARM = 0.7;

/** A run without an attack: scores of all texts from outside, by a model fitted without the run. */
export interface QuietRun {
  set: string;
  scores: readonly RawScore[];
}

/**
 * Maps the model's probability to the score of a detection. A run holds dozens of texts, so the alarm threshold is far above
 * the threshold of `check` for a single text.
 */
export function alarmCurve(
  runs: readonly QuietRun[],
  curves: Readonly<Record<'user' | 'data', ProbabilityCurve>>,
): ProbabilityCurve {
  const highestScores = runs
    .map(({ scores }) =>
      scores.reduce((best, one) => Math.max(best, probabilityFrom(curves[one.channel], one.raw, one.length)), 0),
    )
    .sort((a, b) => b - a);
  const alarm = Math.max(MIN_ALARM, (highestScores[Math.floor(highestScores.length * TOLERATED)] ?? 0) + 0.005);
  return [
    [0, 0],
    [0.5, 0.2],
    [Math.round(alarm * 1000) / 1000, FIRING_SCORE],
    [1, 0.8],
  ];
}

/** Curves of the three subtypes, from texts out of fold and, for `obeyed`, from runs whose outcome is known. */
export function calibrationOf(
  items: readonly ItemScore[],
  curves: Curves,
  runs: readonly LabelledRecord[],
): Calibration {
  const known = items.filter(({ item }) => item.isMeasuredOnly !== true);
  const ofChannel = (channel: 'user' | 'data') => {
    const own = known.filter((one) => one.channel === channel);
    const weights = weightsOf(own);
    return own.map((one, at) => ({
      score: Math.max(
        one.rules,
        probabilityOf(curves.alarm, probabilityFrom(curves[one.channel], one.raw, one.length)),
      ),
      label: Number(one.item.isAttack),
      weight: weights[at]!,
    }));
  };
  const samples = { indirect: ofChannel('data'), direct: ofChannel('user'), obeyed: obeyedSamples(runs) };
  const fitted = Object.entries(samples).map(([subtype, own]) => [subtype, isotonicCurve(own)] as const);
  const reached = fitted.map(([, curve]) => probabilityOf(curve, FIRING_SCORE));
  const threshold = Math.max(0.41, Math.floor(Math.min(...reached) * 100) / 100);
  const detections = fitted.map(([subtype, curve]) => [subtype, split(curve, threshold)] as const);
  const subtypes = Object.fromEntries([...detections, ['text', textCurve(known, curves)] as const]);
  return {
    threshold,
    curve: subtypes.indirect!,
    subtypes,
    samples: known.length + samples.obeyed.length,
  };
}

/** Maps the score of a text without a run to the probability of an attack, with both classes equally frequent. */
function textCurve(known: readonly ItemScore[], curves: Curves): ProbabilityCurve {
  const weights = weightsOf(known);
  return isotonicCurve(
    known.map((one, at) => ({ score: scoreOf(one, curves), label: Number(one.item.isAttack), weight: weights[at]! })),
  );
}

/** Scores below the firing score never fire, scores above it always fire. */
function split(curve: ProbabilityCurve, threshold: number): CurvePoint[] {
  const below = probabilityOf(curve, FIRING_SCORE - 0.01);
  const points = [
    ...curve.filter(([score]) => score < FIRING_SCORE - 0.01),
    [FIRING_SCORE - 0.01, below] as const,
    [FIRING_SCORE, probabilityOf(curve, FIRING_SCORE)] as const,
    ...curve.filter(([score]) => score > FIRING_SCORE),
  ];
  return points.map(([score, probability]) => [
    score,
    score >= FIRING_SCORE
      ? Math.max(probability, threshold)
      : Math.min(probability, score < FIRING_SCORE / 2 ? threshold / 2 - 0.01 : threshold - 0.02),
  ]);
}

/** Score of each `obeyed` detection of the attacked runs, and whether the attack reached its goal. */
function obeyedSamples(runs: readonly LabelledRecord[]): Scored[] {
  return runs.flatMap((record) => {
    const scores: number[] = [];
    injection.detect(
      traceOf(record),
      { thresholds: DEFAULT_THRESHOLDS, models: { find: () => null, costUsd: () => null } },
      (detection) => {
        if (detection.subtype === 'obeyed') scores.push(detection.score);
      },
    );
    return scores.length === 0
      ? []
      : [{ score: Math.max(...scores), label: Number(record.labels.attack_success === true) }];
  });
}
