import type { Severity } from '../../core/severity.ts';
import type { SubtypeInfo } from './define.ts';

export const CRITICAL_CONFIDENCE = 0.6;
export const WARNING_CONFIDENCE = 0.4;

/**
 * Severity of a detection that fires: its impact, no higher than its sureness (`calibration.ts`) carries.
 * `critical` takes 0.6, `warning` takes 0.4, anything less sure is `info`. Uncalibrated confidence ends at 0.7, so a
 * definitional rule (score near 1) reaches `critical`, and a hunch (score below 0.57) never exceeds `info`. Where
 * confidence says how surely the run failed, both count: a hunch stays `info` though most runs with it failed, and a
 * plain fault that runs survive as a rule is demoted.
 */
export function severityOf(impact: SubtypeInfo['impact'], sureness: number): Severity {
  if (impact === 'critical' && sureness >= CRITICAL_CONFIDENCE) return 'critical';
  if (impact !== 'info' && sureness >= WARNING_CONFIDENCE) return 'warning';
  return 'info';
}
