import type { Severity } from '../../core/severity.ts';
import { overrideOf } from '../../detectors/_runner/firing-override.ts';
import { maturityLevel } from '../../detectors/_runner/maturity-limit.ts';
import { adaptedFiring, firingConfidence, isEnabled } from '../../detectors/_runner/run.ts';
import type { RegisteredDetector } from '../../detectors/registry.ts';
import type { FrameworkSettings } from '../analysis/analyze-spans.ts';

/** Reported: as `info` or higher. A detection is compared by its confidence times `confidence_scaling`. */
export interface EffectiveThreshold {
  /** Threshold of reporting; infinite if it is never reported. */
  from: number;
  source: 'override' | 'adapted' | 'calibrated';
  /** Why no threshold makes it reported. */
  silence: 'off' | 'preview' | null;
}

/** The effective threshold for detections of a subtype in traces of one framework, as the engine applies it. */
export function effectiveThreshold(
  registered: RegisteredDetector,
  subtype: string,
  settings: FrameworkSettings,
  severity: Severity,
): EffectiveThreshold {
  const { type } = registered.detector;
  const adapted = adaptedFiring(registered, subtype, settings);
  if (!isEnabled(registered, settings)) return { from: Number.POSITIVE_INFINITY, source: 'calibrated', silence: 'off' };
  if (maturityLevel(registered, subtype, settings.enabled[type] === true) === 'preview')
    return { from: adapted?.warning ?? Number.POSITIVE_INFINITY, source: 'adapted', silence: 'preview' };
  const usual = firingConfidence(registered, settings, subtype);
  if (adapted === undefined) {
    const isSet = overrideOf(settings.overrides, type, subtype) !== undefined;
    return { from: usual, source: isSet ? 'override' : 'calibrated', silence: null };
  }
  // Adaptation hides nothing critical.
  const from = severity === 'critical' ? Math.min(usual, adapted.firing) : adapted.firing;
  return { from, source: 'adapted', silence: null };
}
