import type { DetectorRow } from './detector-row.ts';
import { thresholdText } from './subtype-threshold.ts';

/** A reported subtype of a detector, and the threshold that it has now. */
export interface GovernedSubtype {
  subtype: string;
  title: string;
  isFact: boolean;
  effective: number;
  /** The threshold without one that was set by a person. */
  calibrated: number;
  /** Whether the threshold was set for this subtype: a threshold of the detector does not apply to it. */
  hasOwn: boolean;
}

/** The reported subtypes with their thresholds; all of them if none is reported; empty until they are loaded. */
export function governedSubtypes({
  subtypes,
  threshold,
  measured,
}: Pick<DetectorRow, 'subtypes' | 'threshold' | 'measured'>): GovernedSubtype[] {
  const reported = subtypes.filter((subtype) => subtype.reported);
  return (reported.length > 0 ? reported : subtypes).flatMap(({ subtype, maturity }) => {
    const own = threshold?.subtypes[subtype];
    if (own === undefined) return [];
    return {
      subtype,
      title: measured?.subtypes.find((item) => item.subtype === subtype)?.title ?? subtype.replaceAll('_', ' '),
      isFact: maturity === 'fact',
      effective: own.effective,
      calibrated: own.calibrated,
      hasOwn: own.override !== null,
    };
  });
}

/** `0.30, 0.51`: the thresholds of the reported subtypes. */
export function thresholdsText(row: Pick<DetectorRow, 'subtypes' | 'threshold' | 'measured'>): string {
  const thresholds = governedSubtypes(row).map(({ effective }) => effective);
  return [...new Set(thresholds.sort((a, b) => a - b).map(thresholdText))].join(', ');
}

/** More titles than this are replaced by their number. */
const MAX_TITLES = 5;

/** Which subtypes report from which confidence: `0.51: Steps repeat in a cycle`, the highest first. */
export function groupTexts(subtypes: readonly Pick<GovernedSubtype, 'title' | 'effective'>[]): string[] {
  const byThreshold = Map.groupBy(subtypes, ({ effective }) => thresholdText(effective));
  const groups = [...byThreshold].sort(([a], [b]) => Number(b) - Number(a));
  return groups.map(([threshold, group]) => `${threshold}: ${titlesOf(group, groups.length === 1)}`);
}

function titlesOf(group: readonly { title: string }[], isOnly: boolean): string {
  if (isOnly && group.length > 1) return `all ${group.length} subtypes`;
  if (group.length > MAX_TITLES) return `${group.length} other subtypes`;
  return group.map(({ title }) => title).join('; ');
}
