import type { FiringThresholds, Recommendation } from '../../../client/misstep-client.generated.ts';

/** Two to three decimals, because a threshold can be close to a confidence. */
export function thresholdText(threshold: number): string {
  return threshold.toFixed(3).replace(/0$/, '');
}

/** A threshold that no detection reaches. */
export function isOff(threshold: number): boolean {
  return threshold >= 1;
}

/** Why a subtype has another threshold than the calibrated one; null if it has the calibrated one. */
export function overrideText({ override, calibrated, source }: FiringThresholds): string | null {
  if (override !== null)
    return `${isOff(override) ? 'off: ' : ''}set for this subtype; ${thresholdText(calibrated)} without it`;
  return source === 'override' ? 'set for the detector' : null;
}

export interface RecommendationTexts {
  /** What is reported now, and what is recommended. */
  summary: string;
  /** Label of the button that applies it; null without a recommendation. */
  action: string | null;
}

/** A recommended threshold that none of the labelled detections reaches switches the subtype off. */
export function recommendationTexts({
  current,
  recommended,
  after,
}: Pick<Recommendation, 'current' | 'recommended' | 'after'>): RecommendationTexts {
  const now = isOff(current) ? 'is switched off' : `reports from ${thresholdText(current)}`;
  if (recommended === null) return { summary: `${now}: no change`, action: null };
  const isSilent = isOff(recommended) && after !== null && after.true_positives + after.false_positives === 0;
  return isSilent
    ? { summary: `${now}; recommended: switch this subtype off`, action: 'Switch this subtype off' }
    : {
        summary: `${now}; recommended: ${thresholdText(recommended)}`,
        action: `Report from ${thresholdText(recommended)}`,
      };
}
