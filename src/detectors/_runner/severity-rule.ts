import type { Severity } from '../../core/severity.ts';
import type { SubtypeInfo } from '../_kit/manifest.ts';

export const CRITICAL_CONFIDENCE = 0.6;
export const WARNING_CONFIDENCE = 0.4;

/**
 * Severity of a detection that fires: its impact, limited by its severity confidence (`calibration.ts`). `critical` needs
 * 0.6, `warning` needs 0.4, anything below is `info`. Uncalibrated confidence ends at 0.7: a definitional rule (score near
 * 1) reaches `critical`, and a weak one (score below 0.57) never exceeds `info`. If confidence is the probability that the
 * run failed, both values count: weak evidence stays `info` even if most runs with it failed, and a certain fault that most
 * runs survive is demoted.
 */
export function severityOf(impact: SubtypeInfo['impact'], confidence: number): Severity {
  if (impact === 'critical' && confidence >= CRITICAL_CONFIDENCE) return 'critical';
  if (impact !== 'info' && confidence >= WARNING_CONFIDENCE) return 'warning';
  return 'info';
}
