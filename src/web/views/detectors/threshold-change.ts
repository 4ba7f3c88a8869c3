import type { DetectionsListInput, DetectionType } from '../../../client/misstep-client.generated.ts';

/** Days over which a changed threshold is previewed. */
export const PREVIEW_DAYS = 7;

const DAY_MS = 86_400_000;
/** Confidences have at most three digits. */
const SMALLEST = 0.0005;

export interface ThresholdChange {
  direction: 'fewer' | 'more';
  /** The filter for the stored detections that the change affects. */
  filter: Omit<DetectionsListInput, 'tenant_id'>;
}

/**
 * The effect of a changed threshold on stored detections: a higher one drops those below it; a lower one adds observations,
 * which are stored below the threshold. Null if nothing changes.
 */
export function changeOf(detector: string, effective: number, proposed: number, now: number): ThresholdChange | null {
  if (proposed === effective) return null;
  const common = {
    detection_type: detector as DetectionType,
    date_from: new Date(now - PREVIEW_DAYS * DAY_MS).toISOString(),
    page_size: 5,
    confidence_min: Math.min(proposed, effective),
    confidence_max: Math.round((Math.max(proposed, effective) - SMALLEST) * 1e4) / 1e4,
  };
  return proposed > effective
    ? { direction: 'fewer', filter: { ...common, min_severity: 'info' } }
    : { direction: 'more', filter: { ...common, min_severity: 'observation' } };
}

/** Parses a threshold; null for a text that is not a number from 0 to 1. */
export function thresholdOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && value >= 0 && value <= 1 ? Math.round(value * 100) / 100 : null;
}
