import type { DetectionType } from '../../core/detection.ts';
import { NO_THRESHOLD_SETTINGS, type ThresholdSettings } from '../../core/thresholds.ts';
import type { AdaptedFirings } from '../../detectors/_kit/adapted-firing.ts';
import type { FiringOverrides } from '../../detectors/_kit/firing-override.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';

/** What a tenant decided about detection; crosses to the worker threads, so plain data. */
export interface TenantDetection {
  /** What it set; which of it counts depends on the trace's framework. */
  thresholds: ThresholdSettings;
  /** Firing thresholds that the tenant set. */
  overrides: FiringOverrides;
  /** Detectors switched on or off by the tenant. */
  enabled: Partial<Record<DetectionType, boolean>>;
  /** What adapted to the tenant's traffic, by framework. */
  adapted: Readonly<Record<string, AdaptedFirings>>;
  /** What its last runs look like, by framework. */
  references: Readonly<Record<string, TrafficReference>>;
}

export const DEFAULT_DETECTION: TenantDetection = {
  thresholds: NO_THRESHOLD_SETTINGS,
  overrides: {},
  enabled: {},
  adapted: {},
  references: {},
};
