import type { DetectionType } from '../../core/detection.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';

/** What a tenant decided about detection; crosses to the worker threads, so plain data. */
export interface TenantDetection {
  thresholds: Thresholds;
  /** Firing thresholds by detector, 0–1. */
  overrides: Partial<Record<DetectionType, number>>;
  /** Detectors switched on or off by the tenant. */
  enabled: Partial<Record<DetectionType, boolean>>;
}

export const DEFAULT_DETECTION: TenantDetection = { thresholds: DEFAULT_THRESHOLDS, overrides: {}, enabled: {} };
