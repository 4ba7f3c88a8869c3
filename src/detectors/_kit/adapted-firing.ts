import type { Detection } from '../../core/detection.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { SubtypeInfo } from './define.ts';

/** What the tenant's own traffic made of one kind of detection. */
export interface AdaptedFiring {
  /** Confidence from which it fires. */
  firing: number;
  /** Confidence from which it is a `warning` although the severity rule says less; null keeps the rule. */
  warning: number | null;
  /** Said in the explanation of what fires or is worse only because of it. One sentence. */
  why: string;
}

/** By `type/subtype`. */
export type AdaptedFirings = Readonly<Record<string, AdaptedFiring>>;

/** How one detection meets its thresholds. */
export interface FiringCase {
  /** Its confidence as the tenant scales it. */
  weighed: number;
  /** Firing confidence without adaptation. */
  firing: number;
  adapted: AdaptedFiring | undefined;
  impact: SubtypeInfo['impact'];
}

/** Whether `fired` makes anything of it, whatever it is. */
export function isReported({ weighed, firing, adapted }: Omit<FiringCase, 'impact'>): boolean {
  return weighed >= Math.min(firing, adapted?.firing ?? firing) / 2;
}

/**
 * The detection as it is told: as it is where it fires, as an observation from half the threshold on, null beneath.
 * Adaptation hides nothing critical, and what fires by it alone is at most a warning.
 */
export function adjustToTraffic(
  detection: Detection,
  { weighed, firing, adapted, impact }: FiringCase,
): Detection | null {
  const usual = atThresholds(detection, weighed, firing, firing / 2);
  if (adapted === undefined || usual?.severity === 'critical') return usual;
  const own = atThresholds(detection, weighed, adapted.firing, Math.min(firing, adapted.firing) / 2);
  if (own === null || own.severity === 'observation') return own;
  const isAlarm = impact !== 'info' && adapted.warning !== null && weighed >= adapted.warning;
  const severity = isAlarm || isAtLeast(own.severity, 'warning') ? 'warning' : 'info';
  if (severity === usual?.severity) return usual;
  return { ...own, severity, explanation: `${own.explanation} ${adapted.why}` };
}

function atThresholds(detection: Detection, weighed: number, firing: number, observed: number): Detection | null {
  if (weighed >= firing) return detection;
  return weighed >= observed ? { ...detection, severity: 'observation' } : null;
}
