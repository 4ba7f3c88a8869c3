import type { DetectionType } from '../../core/detection.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { PredictedDetection, Prediction } from '../predictions/prediction.ts';

/** What is kept for looking at only is not said. */
export function isSaid({ severity }: PredictedDetection): boolean {
  return severity !== 'observation';
}

/** Whether one of these detectors says anything of `info` or higher. */
export function isSaidBy(detections: readonly PredictedDetection[], types: readonly DetectionType[]): boolean {
  return detections.some((detection) => isSaid(detection) && types.includes(detection.type));
}

/** The same for some MAST modes: a finding with codes of its own speaks of these alone, one without of its detector's. */
export function isModeSaidBy(
  detections: readonly PredictedDetection[],
  types: readonly DetectionType[],
  modes: readonly string[],
): boolean {
  return detections.some((detection) => {
    const own = detection.failure_modes.filter((mode) => mode.startsWith('FM-'));
    const speaks = own.length === 0 || own.some((mode) => modes.includes(mode));
    return isSaid(detection) && types.includes(detection.type) && speaks;
  });
}

/** An alarm: what a user would be told of. */
export function isAlarmed(detections: readonly PredictedDetection[], type?: DetectionType): boolean {
  return detections.some((one) => isAtLeast(one.severity, 'warning') && (type === undefined || one.type === type));
}

/** Where the fitted scores of a text say yes. */
export const EVEN_CHANCE = 0.5;

/** What a score of a text says; null where it was not judged. */
export function isScoredAs(kind: 'injection' | 'hallucination', { scores }: Prediction): boolean | null {
  const score = scores[kind];
  return score === null ? null : score >= EVEN_CHANCE;
}
