import type { Detection } from '../../core/detection.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { SubtypeInfo } from '../_kit/manifest.ts';

/** Adaptation of one subtype to the tenant's own traffic. */
export interface AdaptedFiring {
  /** Confidence from which the subtype fires. */
  firing: number;
  /** Confidence from which a detection is a `warning` although the severity rule gives less; null keeps the rule. */
  warning: number | null;
  /** Reason, added to the explanation of a detection that fires or is worse only because of the adaptation. One sentence. */
  why: string;
}

/** By `type/subtype`. */
export type AdaptedFirings = Readonly<Record<string, AdaptedFiring>>;

/** The confidence of one detection and the thresholds that apply to it. */
export interface FiringCase {
  /** Confidence scaled for the tenant. */
  scaledConfidence: number;
  /** Firing confidence without adaptation. */
  firing: number;
  adapted: AdaptedFiring | undefined;
  impact: SubtypeInfo['impact'];
}

/** Whether `adjustToTraffic` returns a detection, of any severity. */
export function isReported({ scaledConfidence, firing, adapted }: Omit<FiringCase, 'impact'>): boolean {
  return scaledConfidence >= Math.min(firing, adapted?.firing ?? firing) / 2;
}

/**
 * The detection as it is reported: unchanged if it fires, as an observation from half the threshold, else null. Adaptation
 * never hides a critical detection, and a detection that fires only by adaptation is at most a warning.
 */
export function adjustToTraffic(
  detection: Detection,
  { scaledConfidence, firing, adapted, impact }: FiringCase,
): Detection | null {
  const usual = atThresholds(detection, scaledConfidence, firing, firing / 2);
  if (adapted === undefined || usual?.severity === 'critical') return usual;
  const own = atThresholds(detection, scaledConfidence, adapted.firing, Math.min(firing, adapted.firing) / 2);
  if (own === null || own.severity === 'observation') return own;
  const isAlarm = impact !== 'info' && adapted.warning !== null && scaledConfidence >= adapted.warning;
  const severity = isAlarm || isAtLeast(own.severity, 'warning') ? 'warning' : 'info';
  if (severity === usual?.severity) return usual;
  return { ...own, severity, explanation: `${own.explanation} ${adapted.why}` };
}

function atThresholds(
  detection: Detection,
  scaledConfidence: number,
  firing: number,
  observed: number,
): Detection | null {
  if (scaledConfidence >= firing) return detection;
  return scaledConfidence >= observed ? { ...detection, severity: 'observation' } : null;
}
