import type { Detection, Tier } from '../../core/detection.ts';
import type { MaturityLevel } from '../_kit/maturity.ts';
import { tierOf } from '../detector-scores.ts';
import { maturityOf } from '../maturity.ts';
import type { RegisteredDetector } from '../registry.ts';

/** Confidence of a fact. It is not estimated; the remainder is the chance that it was misread. */
export const FACT_CONFIDENCE = 0.95;

/**
 * How far a subtype may report. A subtype that is not listed is preview.
 * @param isSwitchedOn the tenant switched the detector on; its preview subtypes then report like the others
 */
export function maturityLevel(
  { maturity }: RegisteredDetector,
  subtype: string,
  isSwitchedOn: boolean = false,
): MaturityLevel {
  if (maturity === undefined) return 'measured';
  const level = Object.hasOwn(maturity, subtype) ? maturity[subtype]!.level : 'preview';
  return level === 'preview' && isSwitchedOn ? 'measured' : level;
}

/**
 * Tier of a subtype. The figures of a detector count its reported subtypes together, so they are those of a subtype only
 * if it is the only one; for every other subtype the recall is not known.
 */
export function subtypeTier(registered: RegisteredDetector, subtype: string): Tier {
  const { type, subtypes } = registered.detector;
  const reported = Object.keys(subtypes).filter((name) => maturityLevel(registered, name) !== 'preview');
  return reported.length === 1 && reported[0] === subtype ? tierOf(type) : 'experimental';
}

/** The detection, limited by the maturity of its subtype: a preview is at most an observation. */
export function limitByMaturity<Reported extends Pick<Detection, 'severity'>>(
  detection: Reported,
  level: MaturityLevel,
): Reported {
  return level === 'preview' && detection.severity !== 'observation'
    ? { ...detection, severity: 'observation' }
    : detection;
}

/** Bases that a confidence can rest on. */
export const BASES = ['fact', 'calibrated', 'uncalibrated'] as const;
export type Basis = (typeof BASES)[number];

/** Derived from the detection, so that stored detections need no migration. */
export function basisOf({
  type,
  subtype,
  confidence,
  isCalibrated,
}: Pick<Detection, 'type' | 'subtype' | 'confidence' | 'isCalibrated'>): Basis {
  if (confidence === FACT_CONFIDENCE && maturityOf(type, subtype).level === 'fact') return 'fact';
  return isCalibrated ? 'calibrated' : 'uncalibrated';
}
