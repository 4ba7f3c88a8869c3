import type { Detection } from '../../core/detection.ts';
import { type MaturityLevel, maturityOf } from '../maturity.ts';
import type { RegisteredDetector } from '../registry.ts';

/** A fact is not estimated; what is left is the chance that it was read wrongly. */
export const FACT_CONFIDENCE = 0.95;

/**
 * How far a subtype may report. Closed by default: a subtype that is not listed is preview.
 * @param isSwitchedOn the tenant switched the detector on: then its previews report like the rest
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

/** The detection as its subtype's maturity lets it be reported: a preview is at most an observation. */
export function limitByMaturity<Reported extends Pick<Detection, 'severity'>>(
  detection: Reported,
  level: MaturityLevel,
): Reported {
  return level === 'preview' && detection.severity !== 'observation'
    ? { ...detection, severity: 'observation' }
    : detection;
}

/** What the confidence of a detection rests on. */
export const BASES = ['fact', 'calibrated', 'uncalibrated'] as const;
export type Basis = (typeof BASES)[number];

/** Read off the detection, so that stored ones need no change. */
export function basisOf({
  type,
  subtype,
  confidence,
  isCalibrated,
}: Pick<Detection, 'type' | 'subtype' | 'confidence' | 'isCalibrated'>): Basis {
  if (confidence === FACT_CONFIDENCE && maturityOf(type, subtype).level === 'fact') return 'fact';
  return isCalibrated ? 'calibrated' : 'uncalibrated';
}
