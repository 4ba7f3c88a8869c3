import type { Severity } from '../../core/severity.ts';
import { firingConfidence } from '../../detectors/_runner/run.ts';
import { DETECTORS, type RegisteredDetector } from '../../detectors/registry.ts';
import type { NewestFeedbackRow } from '../../store/feedback.store.ts';
import { settingsFor } from '../analysis/analyze-spans.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { type EffectiveThreshold, effectiveThreshold } from './effective-threshold.ts';
import { type FeedbackType, isRealFailure } from './feedback.record.ts';
import { type Goal, type LabelledConfidence, type Recommendation, recommendThreshold } from './recommend-threshold.ts';

export interface SubtypeRecommendation extends Recommendation {
  detector: string;
  subtype: string;
  /** The threshold that applies to most of the labelled detections. */
  current: number;
  source: EffectiveThreshold['source'];
}

/**
 * Compares the labels of one subtype with the effective threshold in the traces of each framework.
 * @param rows at least one; null if this version has no such subtype
 */
export function recommendationFor(
  rows: readonly NewestFeedbackRow[],
  tenant: TenantDetection,
  goal: Goal,
  detectors: readonly RegisteredDetector[] = DETECTORS,
): SubtypeRecommendation | null {
  const { detection_type: detector, subtype } = rows[0]!;
  const registered = detectors.find((one) => one.detector.type === detector);
  if (registered === undefined || !Object.hasOwn(registered.detector.subtypes, subtype)) return null;
  const labels = rows.map((row) => toLabel(row, registered, tenant));
  const current = mostFrequent(labels.map(({ effective }) => effective));
  const currentThreshold = Number.isFinite(current.from) ? current.from : firingConfidence(registered, tenant, subtype);
  const recommendation = recommendThreshold(labels, currentThreshold, goal);
  const applied = { detector, subtype, current: currentThreshold, source: current.source };
  return current.silence === null
    ? { ...recommendation, ...applied }
    : { ...recommendation, ...applied, ...UNCHANGED, reason: REASONS[current.silence](detector) };
}

const UNCHANGED = { action: 'none', threshold: null, after: null, moved: null } as const;

const REASONS: Readonly<Record<NonNullable<EffectiveThreshold['silence']>, (detector: string) => string>> = {
  off: (detector) => `The detector is off: \`misstep detectors enable ${detector}\` switches it on.`,
  preview: (detector) =>
    `The subtype is in preview, so it is kept as an observation whatever its threshold: \`misstep detectors enable ${detector}\` reports it.`,
};

function toLabel(
  row: NewestFeedbackRow,
  registered: RegisteredDetector,
  tenant: TenantDetection,
): LabelledConfidence & { effective: EffectiveThreshold } {
  const settings = settingsFor(tenant, row.framework ?? 'unknown');
  const effective = effectiveThreshold(registered, row.subtype, settings, row.severity as Severity);
  return {
    detectionId: row.detection_id,
    confidence: row.confidence * settings.thresholds.confidenceScaling,
    isReal: isRealFailure(row.feedback_type as FeedbackType),
    firing: effective.from,
    effective,
  };
}

function mostFrequent(thresholds: readonly EffectiveThreshold[]): EffectiveThreshold {
  const groups = [...Map.groupBy(thresholds, ({ from }) => from).values()];
  return groups.reduce((most, group) => (group.length > most.length ? group : most))[0]!;
}
