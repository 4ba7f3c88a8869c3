import type { Severity } from '../../core/severity.ts';
import type { SubtypeInfo } from './define.ts';

const CRITICAL_CONFIDENCE = 0.6;
const WARNING_CONFIDENCE = 0.4;

/**
 * Severity of a finding that fires: its impact, no higher than its confidence carries.
 * `critical` takes 0.6, `warning` takes 0.4, anything less sure is `info`. Uncalibrated confidence ends at 0.7, so a
 * definitional rule (score near 1) reaches `critical`, and a hunch (score below 0.57) never exceeds `info`.
 */
export function severityOf(impact: SubtypeInfo['impact'], confidence: number): Severity {
  if (impact === 'critical' && confidence >= CRITICAL_CONFIDENCE) return 'critical';
  if (impact !== 'info' && confidence >= WARNING_CONFIDENCE) return 'warning';
  return 'info';
}
