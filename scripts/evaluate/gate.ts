import type { Evaluation } from './evaluation.ts';
import type { Figure } from './figure.ts';

/** A figure that is worse than before by more than the tolerance. */
export interface Regression {
  id: string;
  before: number | null;
  now: number | null;
  tolerance: number;
}

/** Differences up to this tolerance are not reported. */
const MIN_TOLERANCE = 0.01;
/** Records of a small set whose result may change. */
const TOLERATED_RECORDS = 1.5;

/** Tolerances: shares 0.01, or one and a half records of a small set; ratios and counts a tenth. */
export function toleranceOf({ n, value, interval }: Figure): number {
  if (interval === null && (value ?? 0) > 1) return 0.1 * (value ?? 0);
  const least = Math.max(MIN_TOLERANCE, TOLERATED_RECORDS / Math.max(1, n));
  return (value ?? 0) > 1 ? Math.max(least, 0.1 * value!) : least;
}

/**
 * Figures that are worse than in the committed report or missing. New figures are no regression. Figures whose basis changed
 * cannot be compared.
 */
export function regressions(committed: Evaluation, now: Evaluation): Regression[] {
  const current = new Map(figuresOf(now).map((figure) => [figure.id, figure]));
  return figuresOf(committed).flatMap((before) => {
    if (before.better === 'none' || before.value === null) return [];
    const figure = current.get(before.id);
    if (figure !== undefined && figure.basis !== before.basis) return [];
    const tolerance = toleranceOf(before);
    if (!isWorse(before, figure?.value ?? null, tolerance)) return [];
    return [{ id: before.id, before: before.value, now: figure?.value ?? null, tolerance }];
  });
}

function isWorse(before: Figure, now: number | null, tolerance: number): boolean {
  if (now === null) return true;
  const loss = before.better === 'higher' ? before.value! - now : now - before.value!;
  return loss > tolerance + 1e-9;
}

function figuresOf({ sections }: Evaluation): Figure[] {
  return sections.flatMap(({ figures }) => figures);
}
