import type { DetectionType } from '../core/detection.ts';
import { confirmMaturity, declaredMaturity, type Maturity, type MaturityBySubtype, preview } from './_kit/maturity.ts';
import { DETECTORS, type RegisteredDetector } from './registry.ts';
import type { SubtypeRecord } from './subtype-records.ts';

export type MaturityTable = Readonly<Record<DetectionType, MaturityBySubtype>>;

/** Every subtype of every detector, as its manifest declares it. */
export const DECLARED_MATURITY = tableOf(({ detector }) => declaredMaturity(detector));

/** The same, limited by the measured figures. */
export const MATURITY = tableOf(({ maturity = {} }) => maturity);

/** A declared table, limited by these figures. */
export function confirmMaturityTable(
  declared: MaturityTable,
  recordOf: (type: string, subtype: string) => Pick<SubtypeRecord, 'shortfall'> | null,
): MaturityTable {
  const entries = Object.entries(declared).map(([type, own]) => [
    type,
    confirmMaturity(own, (subtype) => recordOf(type, subtype)),
  ]);
  return Object.fromEntries(entries);
}

/** The maturity of a subtype; preview if it is not listed. */
export function maturityOf(type: string, subtype: string): Maturity {
  const own: MaturityBySubtype = Object.hasOwn(MATURITY, type) ? MATURITY[type as DetectionType] : {};
  return Object.hasOwn(own, subtype) ? own[subtype]! : preview;
}

function tableOf(read: (registered: RegisteredDetector) => MaturityBySubtype): MaturityTable {
  const entries = DETECTORS.map((registered) => [registered.detector.type, read(registered)]);
  return Object.fromEntries(entries);
}
