import file from './subtype-figures.generated.json' with { type: 'json' };

/** Of the runs in which a subtype could have fired, those in which it did. */
export interface FiredShare {
  hits: number;
  n: number;
}

export interface FiredCounts {
  healthy: FiredShare;
  failing: FiredShare;
}

/** What the evaluation counted of one subtype, previews as if they were reported. */
export interface SubtypeRecord {
  /** Run sources that were in view while its rule was chosen; null where that was not recorded. */
  seen: readonly string[] | null;
  leftOut: FiredCounts;
  known: FiredCounts;
  /** Share of failing runs among the left-out runs that it fired on; null where it fired on none. */
  precision: number | null;
  /** 95 %, Wilson. */
  interval: [low: number, high: number] | null;
  /** What the precision would be if it fired regardless of the outcome. */
  baseRate: number | null;
  /** Left-out sources in which it fired. */
  fired: readonly ({ set: string } & FiredCounts)[];
  /** Why these figures do not make it `measured`; null where they do. */
  shortfall: string | null;
}

interface SubtypeFigures {
  /** Day of the measurement, `YYYY-MM-DD`. */
  date: string;
  sources: { leftOut: readonly string[]; known: readonly string[] };
  subtypes: Readonly<Record<string, SubtypeRecord>>;
}

/** Written by `npm run evaluate -- --runs --write`; counts only. */
export const SUBTYPE_FIGURES = file as unknown as SubtypeFigures;

/** Null for a subtype that was never measured. */
export function subtypeRecord(type: string, subtype: string): SubtypeRecord | null {
  const key = `${type}/${subtype}`;
  return Object.hasOwn(SUBTYPE_FIGURES.subtypes, key) ? SUBTYPE_FIGURES.subtypes[key]! : null;
}
