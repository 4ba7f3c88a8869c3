/**
 * What labelled traces taught about a detector's scores: written by `npm run calibrate`, never edited.
 * A curve is a rising list of (score, probability) points; between them the probability is linear, outside it is flat.
 */
export interface Calibration {
  /** Confidence from which a detection fires. */
  threshold: number;
  curve: readonly CurvePoint[];
  /** Curves of subtypes that had enough labels of their own. */
  subtypes?: Readonly<Record<string, readonly CurvePoint[]>>;
  /** Labelled detections the curve was fitted on. */
  samples: number;
  /**
   * What was counted as right: `finding` where labels say whether the detection is true (the default), `run_failed`
   * where they only say how the run ended. The second says how surely the run failed, not how bad the fault is.
   */
  label?: 'finding' | 'run_failed';
  /** Score from which the curve rests on labels; below it, confidence only orders. Everywhere where left out. */
  from?: number;
  /** Share of right ones among everything labelled; where yours fail less often, confidence is too high. */
  prior?: number;
}

export type CurvePoint = readonly [score: number, probability: number];

export interface Confidence {
  value: number;
  isCalibrated: boolean;
}

/** Nothing is surer than this: what is read off a trace can be wrong about the run. */
export const CERTAIN_AT_MOST = 0.99;

/** Nothing unproven is surer than this; the whole range of scores is squeezed below it. */
export const UNCALIBRATED_CEILING = 0.7;

/** Confidence from which a detection fires where no labels have set another: a score of 0.43. */
export const DEFAULT_FIRING_CONFIDENCE = 0.3;

/** The probability that a detection of this score is real; squeezed linearly into 0–0.7 where no curve is known. */
export function confidenceOf(score: number, subtype: string, calibration: Calibration | null): Confidence {
  const curve = curveFor(subtype, calibration);
  if (curve.length === 0) return { value: round(score * UNCALIBRATED_CEILING), isCalibrated: false };
  return {
    value: Math.min(CERTAIN_AT_MOST, round(interpolate(curve, score))),
    isCalibrated: score >= (calibration?.from ?? 0),
  };
}

/** Confidence from which a detection of this subtype fires where no one set another. */
export function firingDefault(subtype: string, calibration: Calibration | null): number {
  const isKnown = calibration !== null && curveFor(subtype, calibration).length > 0;
  return isKnown ? calibration.threshold : DEFAULT_FIRING_CONFIDENCE;
}

/**
 * How far up the scale of severity a detection may reach: its confidence; where that was learnt from how runs ended, which
 * says nothing about how bad a fault is, no further than its evidence carries.
 */
export function severityConfidence(score: number, confidence: Confidence, calibration: Calibration | null): number {
  if (calibration?.label !== 'run_failed') return confidence.value;
  return Math.min(confidence.value, round(score * UNCALIBRATED_CEILING));
}

/** From a generated file, whose `null` says that labels were too few. */
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
