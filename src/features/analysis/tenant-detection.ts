import type { DetectionType } from '../../core/detection.ts';
import { NO_THRESHOLD_SETTINGS, type ThresholdSettings } from '../../core/thresholds.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';
import type { AdaptedFirings } from '../../detectors/_runner/adapted-firing.ts';
import type { FiringOverrides } from '../../detectors/_runner/firing-override.ts';

/** A tenant's detection settings; sent to worker threads, so plain data. */
export interface TenantDetection {
  /** The tenant's settings; the effective ones depend on the trace's framework. */
  thresholds: ThresholdSettings;
  /** Firing thresholds that the tenant set. */
  overrides: FiringOverrides;
  /** Detectors switched on or off by the tenant. */
  enabled: Partial<Record<DetectionType, boolean>>;
  /** Adapted to the tenant's traffic, by framework. */
  adapted: Readonly<Record<string, AdaptedFirings>>;
  /** Reference of the tenant's recent runs, by framework. */
  references: Readonly<Record<string, TrafficReference>>;
}

export const DEFAULT_DETECTION: TenantDetection = {
  thresholds: NO_THRESHOLD_SETTINGS,
  overrides: {},
  enabled: {},
  adapted: {},
  references: {},
};
