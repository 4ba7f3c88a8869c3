/**
 * Calibration of a detector's scores, fitted to labelled traces. `npm run calibrate` writes it; it is never edited. A curve
 * is a list of (score, probability) points with rising scores: linear between points, constant outside.
 */
export interface Calibration {
  /** Confidence from which a detection fires. */
  threshold: number;
  curve: readonly CurvePoint[];
  /** Curves of subtypes with enough labels of their own. */
  subtypes?: Readonly<Record<string, readonly CurvePoint[]>>;
  /** Number of labelled detections that the curve was fitted to. */
  samples: number;
  /**
   * Meaning of a positive label: `finding` if labels say whether the detection is true (the default), `run_failed` if they
   * only say whether the run failed. The latter gives the probability that the run failed, not the severity of the fault.
   */
  label?: 'finding' | 'run_failed';
  /** Smallest score that labels support; below it, confidence only orders detections. Omitted if labels support all scores. */
  from?: number;
  /** Share of positive labels in the fitting data. If fewer runs of a tenant fail, confidence is too high. */
  prior?: number;
}

export type CurvePoint = readonly [score: number, probability: number];

export interface Confidence {
  value: number;
  isCalibrated: boolean;
}

/** Upper limit of every confidence: even a fact of the trace can be misread. */
export const CONFIDENCE_CEILING = 0.99;

/** Upper limit of uncalibrated confidence; the whole range of scores is scaled to it. */
export const UNCALIBRATED_CEILING = 0.7;

/** Confidence from which a detection fires without calibration; corresponds to a score of 0.43. */
export const DEFAULT_FIRING_CONFIDENCE = 0.3;

/** Probability that a detection with this score is real. Without a curve, the score is scaled linearly to 0–0.7. */
export function confidenceOf(score: number, subtype: string, calibration: Calibration | null): Confidence {
  const curve = curveFor(subtype, calibration);
  if (curve.length === 0) return { value: round(score * UNCALIBRATED_CEILING), isCalibrated: false };
  return {
    value: Math.min(CONFIDENCE_CEILING, round(interpolate(curve, score))),
    isCalibrated: score >= (calibration?.from ?? 0),
  };
}

/** Confidence from which a detection of this subtype fires unless the user sets another value. */
export function firingDefault(subtype: string, calibration: Calibration | null): number {
  const isKnown = calibration !== null && curveFor(subtype, calibration).length > 0;
  return isKnown ? calibration.threshold : DEFAULT_FIRING_CONFIDENCE;
}

/**
 * The value that severity is based on: the confidence. If confidence is calibrated on run outcomes, which do not measure
 * the severity of a fault, it is limited by the score.
 */
export function severityConfidence(score: number, confidence: Confidence, calibration: Calibration | null): number {
  if (calibration?.label !== 'run_failed') return confidence.value;
  return Math.min(confidence.value, round(score * UNCALIBRATED_CEILING));
}

/** Reads a generated file. `null` in it means that there were too few labels. */
export function readCalibration(file: unknown): Calibration | null {
  return file as Calibration | null;
}

function curveFor(subtype: string, calibration: Calibration | null): readonly CurvePoint[] {
  return calibration?.subtypes?.[subtype] ?? calibration?.curve ?? [];
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
