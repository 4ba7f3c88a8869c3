import type { SubtypeRecord } from '../subtype-records.ts';

/**
 * Evidence for a subtype. `fact`: it can be read in the trace without statistics and is true in every framework.
 * `measured`: its precision was measured on sources that were not used to choose its rule, and it met the bar of the
 * evaluation (`subtype-figures.generated.json`). `preview`: neither; it is stored as an observation and never alerts unless
 * the user switches the detector on.
 */
export type Maturity = { level: 'fact'; why: string } | { level: 'measured' } | { level: 'preview' };
export type MaturityLevel = Maturity['level'];

export const fact = (why: string): Maturity => ({ level: 'fact', why });
/** Measured if the evaluation confirms it, else preview. */
export const measured: Maturity = { level: 'measured' };
export const preview: Maturity = { level: 'preview' };

/** Maturity by subtype. A subtype that is not listed is preview. */
export type MaturityBySubtype = Readonly<Record<string, Maturity>>;

/** The maturity of each subtype, as the manifest declares it. */
export function declaredMaturity({
  subtypes,
}: {
  subtypes: Readonly<Record<string, { maturity?: Maturity }>>;
}): MaturityBySubtype {
  return Object.fromEntries(Object.entries(subtypes).map(([subtype, { maturity }]) => [subtype, maturity ?? preview]));
}

/** The declared maturity of one detector, limited by the measured figures. */
export function confirmMaturity(
  declared: MaturityBySubtype,
  recordOf: (subtype: string) => Pick<SubtypeRecord, 'shortfall'> | null,
): MaturityBySubtype {
  const levels = Object.entries(declared).map(([subtype, maturity]) => {
    const isShort = maturity.level === 'measured' && recordOf(subtype)?.shortfall !== null;
    return [subtype, isShort ? preview : maturity];
  });
  return Object.fromEntries(levels);
}
