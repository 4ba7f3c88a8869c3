import type { DetectorScores } from '../../src/detectors/detector-scores.ts';
import { attributionScores } from './attribution-scores.ts';
import type { Case } from './cases.ts';
import { confidenceScores } from './confidence-scores.ts';
import { detectorScores } from './detector-scores.ts';
import type { Section } from './figure.ts';
import { groundingScores } from './grounding-scores.ts';
import { injectionScores } from './injection-scores.ts';
import { mastModes } from './mast-modes.ts';
import { type FittedAnswers, withFitted } from './out-of-fold.ts';
import { selfCalibrationScores } from './self-calibration-scores.ts';
import type { StreamedRun } from './traffic-stream.ts';
import { trailScores } from './trail-scores.ts';

export interface Evaluation {
  split: 'dev';
  /** Number of evaluated records by set. */
  sets: Record<string, number>;
  sections: Section[];
  /** Precision and recall of each detector and failure mode; the program serves these. */
  scores: DetectorScores;
  /** Day of the measurement, `YYYY-MM-DD`; null if it is not given. */
  date: string | null;
}

/** Measurements that do not follow from records and answers. */
export interface OtherMeasurements {
  date?: string;
  /** Speed, if measured. */
  speed?: Section;
  /** Runs to be streamed as the traffic of tenants. */
  traffic?: readonly StreamedRun[];
}

/**
 * All figures of the protocol except those of the run sources (`runs/run-report.ts`). Detections are as shipped; fitted
 * scores come from models that have not seen the group.
 */
export function evaluate(
  shipped: readonly Case[],
  answers: FittedAnswers,
  { date, speed, traffic = [] }: OtherMeasurements = {},
): Evaluation {
  const cases = shipped.map((one) => ({ ...one, prediction: withFitted(one.prediction, answers.outOfFold) }));
  const sets = Map.groupBy(cases, ({ set }) => set);
  return {
    split: 'dev',
    date: date ?? null,
    sets: Object.fromEntries([...sets].map(([set, members]) => [set, members.length])),
    sections: [
      selfCalibrationScores(traffic),
      attributionScores(cases, answers),
      trailScores(cases, answers),
      injectionScores(cases, answers),
      groundingScores(cases, answers),
      mastModes(cases),
      confidenceScores(cases, answers),
      ...(speed === undefined ? [] : [speed]),
    ].filter(({ figures }) => figures.length > 0),
    scores: detectorScores(cases),
  };
}
