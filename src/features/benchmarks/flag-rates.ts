import type { DetectionType } from '../../core/detection.ts';
import { DETECTOR_SCORES, type FlagRateFigures } from '../../detectors/detector-scores.ts';
import { MATURITY } from '../../detectors/maturity.ts';
import { SUBTYPE_FIGURES } from '../../detectors/subtype-records.ts';
import { wilsonInterval } from '../evaluation/wilson-interval.ts';

export interface FlagRate extends FlagRateFigures {
  /** Whether `n` is only a lower bound of the number of runs on which the detector could fire. */
  isAtLeast: boolean;
}

/**
 * Share of healthy or failing runs with a detection of `warning` or higher, of those on which a reported subtype of the
 * detector could fire; null without such runs. Only the number of such runs per subtype is known: the largest is a lower
 * bound for the detector, and exact if it has one reported subtype or if the subtype could fire on every run.
 */
export function flagRate(type: DetectionType, outcome: 'healthy' | 'failing'): FlagRate | null {
  const measured = DETECTOR_SCORES.detectors.find(({ detector }) => detector === type)?.[outcome] ?? null;
  if (measured === null) return null;
  const reported = Object.entries(MATURITY[type]).filter(([, { level }]) => level !== 'preview');
  return amongRunsThatCouldFire(
    measured,
    reported.map(([subtype]) => couldFire(`${type}/${subtype}`, outcome)),
  );
}

/** @param counts runs on which each reported subtype could fire */
export function amongRunsThatCouldFire(
  { n: all, fired }: Pick<FlagRateFigures, 'n' | 'fired'>,
  counts: readonly number[],
): FlagRate | null {
  const n = Math.min(all, Math.max(fired, ...counts));
  if (n === 0) return null;
  const isAtLeast = n < all && counts.filter((count) => count > 0).length > 1;
  return { n, fired, value: fired / n, interval: wilsonInterval(fired, n), isAtLeast };
}

function couldFire(key: string, outcome: 'healthy' | 'failing'): number {
  const record = SUBTYPE_FIGURES.subtypes[key];
  return record === undefined ? 0 : record.leftOut[outcome].n + record.known[outcome].n;
}
