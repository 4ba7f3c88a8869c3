import type { DetectionType } from '../../core/detection.ts';

/** Firing thresholds set by the user, 0–1, by detector (`loop`) or by subtype (`loop/cyclic`). */
export type FiringOverrides = Readonly<Record<string, number>>;

/** The override of the subtype, else that of its detector; undefined if neither is set. */
export function overrideOf(overrides: FiringOverrides, type: DetectionType, subtype?: string): number | undefined {
  const own = subtype === undefined ? undefined : overrides[`${type}/${subtype}`];
  return own ?? overrides[type];
}
