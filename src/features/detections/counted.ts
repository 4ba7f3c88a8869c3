import type { Severity } from '../../core/severity.ts';
import type { DetectionTable } from '../../store/schema.ts';

/**
 * Whether a stored detection counts in scores, figures and issues: it is not withdrawn, not an observation, and not marked
 * as false.
 */
export function isCounted(row: Pick<DetectionTable, 'withdrawn_at' | 'severity' | 'is_valid'>): boolean {
  return row.withdrawn_at === null && isReported(row.severity as Severity) && !isMarkedFalse(row);
}

export function isReported(severity: Severity): boolean {
  return severity !== 'observation';
}

/** The newest feedback is `false_positive` or `true_negative`. */
export function isMarkedFalse(row: Pick<DetectionTable, 'is_valid'>): boolean {
  return row.is_valid === 0;
}
