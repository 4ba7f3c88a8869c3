import type { Detection, DetectionsListInput, DetectionType } from '../../../client/misstep-client.generated.ts';
import type { GovernedSubtype } from './threshold-groups.ts';

/** Days over which a changed threshold is previewed. */
export const PREVIEW_DAYS = 7;
/** Stored detections that a preview reads, the newest first. */
export const MAX_PREVIEWED = 200;

const DAY_MS = 86_400_000;
/** Confidences have at most three digits. */
const SMALLEST = 0.0005;

type Moved = Pick<GovernedSubtype, 'subtype' | 'effective' | 'hasOwn'>;

/** The filter for the stored detections that a changed threshold of the detector can affect; null if it changes nothing. */
export function changeOf(
  detector: string,
  subtypes: readonly Moved[],
  proposed: number,
  now: number,
): Omit<DetectionsListInput, 'tenant_id'> | null {
  const thresholds = movedSubtypes(subtypes, proposed).map(({ effective }) => effective);
  if (thresholds.length === 0) return null;
  const highest = Math.max(proposed, ...thresholds);
  return {
    detection_type: detector as DetectionType,
    date_from: new Date(now - PREVIEW_DAYS * DAY_MS).toISOString(),
    page_size: MAX_PREVIEWED,
    confidence_min: Math.min(proposed, ...thresholds),
    confidence_max: Math.round((highest - SMALLEST) * 1e4) / 1e4,
    // A detection below its threshold is stored as an observation.
    min_severity: highest > proposed ? 'observation' : 'info',
  };
}

/** A threshold of the detector does not apply to a subtype with its own. */
function movedSubtypes(subtypes: readonly Moved[], proposed: number): Moved[] {
  return subtypes.filter(({ hasOwn, effective }) => !hasOwn && effective !== proposed);
}

/** The stored detections that would no longer be reported, and those that would be reported in addition. */
export function affectedBy(
  detections: readonly Detection[],
  subtypes: readonly Moved[],
  proposed: number,
): { fewer: Detection[]; more: Detection[] } {
  const moved = new Map(movedSubtypes(subtypes, proposed).map(({ subtype, effective }) => [subtype, effective]));
  const isAffected = ({ subtype, confidence, severity }: Detection, isReported: boolean) => {
    const effective = moved.get(subtype);
    if (effective === undefined || (severity !== 'observation') !== isReported) return false;
    return isReported ? confidence < proposed : confidence >= proposed && confidence < effective;
  };
  return {
    fewer: detections.filter((detection) => isAffected(detection, true)),
    more: detections.filter((detection) => isAffected(detection, false)),
  };
}

/** Parses a threshold; null for a text that is not a number from 0 to 1. */
export function thresholdOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && value >= 0 && value <= 1 ? Math.round(value * 100) / 100 : null;
}
