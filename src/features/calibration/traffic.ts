import type { DetectionType } from '../../core/detection.ts';
import { confidenceOf, severityConfidence } from '../../detectors/_kit/calibration.ts';
import type { MaturityLevel } from '../../detectors/_kit/maturity.ts';
import { type FiringOverrides, overrideOf } from '../../detectors/_runner/firing-override.ts';
import { maturityLevel } from '../../detectors/_runner/maturity-limit.ts';
import { firingConfidence, isEnabled } from '../../detectors/_runner/run.ts';
import { CRITICAL_CONFIDENCE, WARNING_CONFIDENCE } from '../../detectors/_runner/severity-rule.ts';
import { DETECTORS, type RegisteredDetector } from '../../detectors/registry.ts';

/** Scores of one trace: the highest confidence by `type/subtype`, fired or not. */
export type TraceSignals = Readonly<Record<string, number>>;

/** A validated detection. */
export interface ValidatedDetection {
  /** `type/subtype`. */
  key: string;
  confidence: number;
  isValid: boolean;
}

/** One kind of detection whose firing may be adapted. */
export interface AdaptableKind {
  /** `type/subtype`. */
  key: string;
  type: DetectionType;
  subtype: string;
  impact: 'critical' | 'warning' | 'info';
  /** Confidence from which it fires without adaptation. */
  firing: number;
  /** Confidence from which it is an alarm (`warning` or higher) without adaptation; infinite if never. */
  alarm: number;
  /** Confidence from which traffic alone never silences it. */
  sure: number;
  /** The same by the severity rule alone, also for a preview, which never alerts by itself. */
  usual: number;
  /**
   * A fact counts as an alert and is never adapted. A preview alerts only if the tenant's own
   * validated detections show that it is mostly right.
   */
  level: MaturityLevel;
  /** From a fitted text model: low scores are frequent and mean little. */
  isModel: boolean;
}

/** Kinds of the enabled detectors; those with an override of the tenant are omitted. */
export function adaptableKinds(
  {
    enabled,
    overrides,
  }: {
    enabled: Readonly<Partial<Record<DetectionType, boolean>>>;
    overrides: FiringOverrides;
  },
  detectors: readonly RegisteredDetector[] = DETECTORS,
): AdaptableKind[] {
  return detectors
    .filter((registered) => isEnabled(registered, { enabled }))
    .flatMap((registered) => kindsOf(registered, enabled[registered.detector.type] === true))
    .filter(({ type, subtype }) => overrideOf(overrides, type, subtype) === undefined);
}

function kindsOf(registered: RegisteredDetector, isSwitchedOn: boolean): AdaptableKind[] {
  const { type, subtypes, method } = registered.detector;
  return Object.entries(subtypes).map(([subtype, { impact }]) => {
    const level = maturityLevel(registered, subtype, isSwitchedOn);
    const firing = firingConfidence(registered, { overrides: {} }, subtype);
    const warning = confidenceWhere(registered, subtype, WARNING_CONFIDENCE);
    return {
      key: `${type}/${subtype}`,
      type,
      subtype,
      impact,
      firing,
      alarm: impact === 'info' || level === 'preview' ? Number.POSITIVE_INFINITY : Math.max(firing, warning),
      usual: Math.max(firing, warning),
      sure: Math.max(firing, confidenceWhere(registered, subtype, CRITICAL_CONFIDENCE)),
      level,
      isModel: method !== undefined && method !== 'rule',
    };
  });
}

/** The lowest confidence that reaches this severity; infinite if none does. */
function confidenceWhere({ calibration }: RegisteredDetector, subtype: string, minimum: number): number {
  for (let thousandth = 0; thousandth <= 1000; thousandth += 1) {
    const confidence = confidenceOf(thousandth / 1000, subtype, calibration);
    if (severityConfidence(thousandth / 1000, confidence, calibration) >= minimum) return confidence.value;
  }
  return Number.POSITIVE_INFINITY;
}
