import attackFile from './attack-figures.generated.json' with { type: 'json' };
import file from './subtype-figures.generated.json' with { type: 'json' };

/** Number of runs in which a subtype fired, of those in which it could fire. */
export interface FiredShare {
  hits: number;
  n: number;
}

export interface FiredCounts {
  healthy: FiredShare;
  failing: FiredShare;
}

/** Evaluation counts of one subtype; previews are counted as if they were reported. */
export interface SubtypeRecord {
  /** Run sources that the author saw while choosing the rule; null if that was not recorded. */
  seen: readonly string[] | null;
  leftOut: FiredCounts;
  known: FiredCounts;
  /** Share of failing runs among the left-out runs on which it fired; null if it fired on none. */
  precision: number | null;
  /** 95 %, Wilson. */
  interval: [low: number, high: number] | null;
  /** Precision if it fired independently of the outcome. */
  baseRate: number | null;
  /** Left-out sources in which it fired. */
  fired: readonly ({ set: string } & FiredCounts)[];
  /** Why these figures do not make it `measured`; null if they do. */
  shortfall: string | null;
  /** What counts as positive: a failed run (if omitted), or an attack. `healthy` are then runs without an attack. */
  against?: 'attacks';
}

interface SubtypeFigures {
  /** Day of the measurement, `YYYY-MM-DD`. */
  date: string;
  sources: { leftOut: readonly string[]; known: readonly string[] };
  subtypes: Readonly<Record<string, SubtypeRecord>>;
}

/** Written by `npm run evaluate -- --runs --write`; counts only. */
export const SUBTYPE_FIGURES = file as unknown as SubtypeFigures;

/** Written by `node scripts/evaluate/in-runs.ts injection --write`; counts only. */
export const ATTACK_FIGURES = attackFile as unknown as {
  date: string;
  subtypes: Readonly<Record<string, SubtypeRecord>>;
};

/** Null for a subtype without measurement. Measured against attacks if these are labelled, else against run outcomes. */
export function subtypeRecord(type: string, subtype: string): SubtypeRecord | null {
  const key = `${type}/${subtype}`;
  const { subtypes } = Object.hasOwn(ATTACK_FIGURES.subtypes, key) ? ATTACK_FIGURES : SUBTYPE_FIGURES;
  return Object.hasOwn(subtypes, key) ? subtypes[key]! : null;
}
