import type { Severity } from '../../client/misstep-client.generated.ts';
import type { FoldTotals } from './fold-totals.ts';
import { type StepDetections, severityOf } from './step-detections.ts';

/** The sign of a row of steps for its detections. */
export interface RowMark {
  /** Severity of the worst detection that the row decides. */
  severity: Severity | null;
  /** The same for the steps hidden below a collapsed row. */
  inside: Severity | null;
  /** Whether a detection refers to the row, and names another step as the cause. */
  isEvidence: boolean;
}

const NONE: RowMark = { severity: null, inside: null, isEvidence: false };

/** @param totals of a fold, null for a step @param isExpanded null for a row without children */
export function rowMark(
  { worst, decisive, decisiveBelow }: Pick<StepDetections, 'worst' | 'decisive' | 'decisiveBelow'>,
  step: number,
  totals: Pick<FoldTotals, 'worst' | 'decisive'> | null,
  isExpanded: boolean | null,
): RowMark {
  // The members of an expanded fold have their own signs.
  if (totals !== null && isExpanded === true) return NONE;
  const severity = severityOf(totals?.decisive ?? decisive[step]!);
  return {
    severity,
    inside: totals === null && isExpanded === false ? severityOf(decisiveBelow[step]!) : null,
    isEvidence: severity === null && (totals?.worst ?? worst[step]!) > 0,
  };
}
