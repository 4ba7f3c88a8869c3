import type { DetectionType } from '../../core/detection.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { PredictedDetection, Prediction } from '../predictions/prediction.ts';

/** Observations are not reported. */
export function isReported({ severity }: PredictedDetection): boolean {
  return severity !== 'observation';
}

/** Whether one of these detectors reports anything of `info` or higher. */
export function isReportedBy(detections: readonly PredictedDetection[], types: readonly DetectionType[]): boolean {
  return detections.some((detection) => isReported(detection) && types.includes(detection.type));
}

/** The same for MAST modes: a detection with codes of its own counts for these only, one without for its detector's. */
export function isModeReportedBy(
  detections: readonly PredictedDetection[],
  types: readonly DetectionType[],
  modes: readonly string[],
): boolean {
  return detections.some((detection) => {
    const own = detection.failure_modes.filter((mode) => mode.startsWith('FM-'));
    const judgesMode = own.length === 0 || own.some((mode) => modes.includes(mode));
    return isReported(detection) && types.includes(detection.type) && judgesMode;
  });
}

/** An alarm: a detection that users are alerted about. */
export function isAlarmed(detections: readonly PredictedDetection[], type?: DetectionType): boolean {
  return detections.some((one) => isAtLeast(one.severity, 'warning') && (type === undefined || one.type === type));
}

/** Decision threshold of the fitted text scores. */
export const EVEN_CHANCE = 0.5;

/** The decision of a text score; null if the text was not scored. */
export function isScoredPositive(kind: 'injection' | 'hallucination', { scores }: Prediction): boolean | null {
  const score = scores[kind];
  return score === null ? null : score >= EVEN_CHANCE;
}
