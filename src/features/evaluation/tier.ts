import type { Tier } from '../../core/detection.ts';
import type { Measurement } from './measurement.ts';

/** Minimum F1, precision and labelled samples of each tier, highest first. */
const TIER_REQUIREMENTS: readonly { tier: Tier; f1: number; precision: number; samples: number }[] = [
  { tier: 'production', f1: 0.8, precision: 0.8, samples: 100 },
  { tier: 'beta', f1: 0.6, precision: 0, samples: 50 },
];

/**
 * Tier of a detector by evidence. Only data that it was neither fitted on nor written for count, and only if
 * both classes occur; without such data it is `experimental`, whatever its figures.
 */
export function tierOf(measured: Measurement | null, isHeldOut: boolean): Tier {
  if (measured === null || !isHeldOut || !hasBothClasses(measured)) return 'experimental';
  const { f1, precision, samples } = measured;
  const reached = TIER_REQUIREMENTS.find(
    (requirement) =>
      samples >= requirement.samples &&
      (f1?.value ?? 0) >= requirement.f1 &&
      (precision?.value ?? 0) >= requirement.precision,
  );
  return reached?.tier ?? 'experimental';
}

function hasBothClasses({ samples, positives }: Measurement): boolean {
  return positives > 0 && positives < samples;
}
