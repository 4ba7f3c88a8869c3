import type { DetectionType, Tier } from '../core/detection.ts';
import file from './detector-scores.generated.json' with { type: 'json' };

/** A figure between 0 and 1 with its 95 % interval (Wilson). */
export interface EstimateFigures {
  value: number;
  interval: [low: number, high: number];
}

/** Precision, recall and other figures of a detector on one kind of labelled data; a figure with a zero denominator is null. */
export interface ScoreFigures {
  set: string;
  /** Which labels count as the fault, and which detections count as reporting it. */
  label: string;
  unit: 'run' | 'text';
  /** Who saw the data before; see docs/evaluation.md. */
  basis: 'as shipped' | 'out-of-fold' | 'set left out' | 'never fitted' | 'in-sample';
  samples: number;
  positives: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
  precision: EstimateFigures | null;
  recall: EstimateFigures | null;
  f1: EstimateFigures | null;
}

/** Share of runs with a detection of `warning` or higher. */
export interface FlagRateFigures extends EstimateFigures {
  n: number;
  fired: number;
}

export interface ModeFigures {
  /** F1 to F16. */
  mode: string;
  tier: Tier;
  /** The figures that determine the tier; null if no labels cover the detector. */
  measured: ScoreFigures | null;
  /** The same on other data. */
  further: ScoreFigures[];
}

export interface DetectorFigures extends Omit<ModeFigures, 'mode'> {
  detector: DetectionType;
  healthy: FlagRateFigures | null;
  failing: FlagRateFigures | null;
}

export interface DetectorScores {
  detectors: DetectorFigures[];
  modes: ModeFigures[];
}

/** The results of the evaluation in the committed report; written by `npm run evaluate`. */
export const DETECTOR_SCORES = file as unknown as DetectorScores & { date: string | null; split: 'dev' };

const TIERS = new Map(DETECTOR_SCORES.detectors.map(({ detector, tier }) => [detector, tier]));

/** The tier of a detector, derived only from measured figures. */
export function tierOf(type: DetectionType): Tier {
  return TIERS.get(type) ?? 'experimental';
}
