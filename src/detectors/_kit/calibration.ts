import type { Tier } from '../../core/detection.ts';

/**
 * What labelled traces taught about a detector's scores: written by `scripts/calibrate`, never edited.
 * A curve is a rising list of (score, probability) points; between them the probability is linear, outside it is flat.
 */
export interface Calibration {
  /** Confidence from which a finding fires. */
  threshold: number;
  curve: readonly CurvePoint[];
  /** Curves of subtypes that had enough labels of their own. */
  subtypes?: Readonly<Record<string, readonly CurvePoint[]>>;
  tier: Tier;
  /** Labelled findings the curve was fitted on. */
  samples: number;
}

export type CurvePoint = readonly [score: number, probability: number];

export interface Confidence {
  value: number;
  isCalibrated: boolean;
}

/** Nothing unproven is surer than this; the whole range of scores is squeezed below it. */
export const UNCALIBRATED_CEILING = 0.7;

/** Confidence from which a finding fires where no labels have set another: a score of 0.43. */
export const DEFAULT_FIRING_CONFIDENCE = 0.3;

/** The probability that a finding of this score is real; squeezed linearly into 0–0.7 where no curve is known. */
export function confidenceOf(score: number, subtype: string, calibration: Calibration | null): Confidence {
  const curve = calibration?.subtypes?.[subtype] ?? calibration?.curve ?? [];
  if (curve.length === 0) return { value: round(score * UNCALIBRATED_CEILING), isCalibrated: false };
  return { value: round(interpolate(curve, score)), isCalibrated: true };
}

function interpolate(curve: readonly CurvePoint[], score: number): number {
  const above = curve.findIndex(([at]) => at >= score);
  if (above === -1) return curve[curve.length - 1]![1];
  if (above === 0) return curve[0]![1];
  const [lowScore, low] = curve[above - 1]!;
  const [highScore, high] = curve[above]!;
  return low + ((high - low) * (score - lowScore)) / (highScore - lowScore);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
