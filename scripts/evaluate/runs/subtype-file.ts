import { ATTACK_FIGURES, type SubtypeRecord } from '../../../src/detectors/subtype-records.ts';
import type { AnalyzedRun } from './analyze-runs.ts';
import { pooledShare, type SourceShares, type SubtypeFigures, subtypeFigures } from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';
import { sourcesOf } from './seen-by-rules.ts';
import { shortfall, subtypePrecision } from './subtype-precision.ts';

/** By `type/subtype`. */
export type SubtypeRecords = Readonly<Record<string, SubtypeRecord>>;

/** Figures of these runs, except for subtypes that are measured against attacks. */
export function recordIn(records: SubtypeRecords) {
  return (type: string, subtype: string): SubtypeRecord | null => {
    const key = `${type}/${subtype}`;
    return ATTACK_FIGURES.subtypes[key] ?? records[key] ?? null;
  };
}

/** The figures of each subtype, on runs analyzed with previews reported. */
export function subtypeRecords(runs: readonly AnalyzedRun[]): SubtypeRecords {
  return Object.fromEntries(subtypeFigures(runs).map((figures) => [figures.subtype, recordOf(figures)]));
}

function recordOf({ subtype, sources }: SubtypeFigures): SubtypeRecord {
  const { seen, leftOut, isRecorded } = sourcesOf(subtype);
  const among = (sets: readonly string[]) => sources.filter(({ set }) => sets.includes(set));
  const own = subtypePrecision(among(leftOut));
  return {
    seen: isRecorded ? seen : null,
    leftOut: { healthy: own.healthy, failing: own.failing },
    known: {
      healthy: pooledShare(among(seen).map(({ healthy }) => healthy)),
      failing: pooledShare(among(seen).map(({ failing }) => failing)),
    },
    precision: rounded(own.precision),
    interval: own.precision === null ? null : [rounded(own.interval[0])!, rounded(own.interval[1])!],
    baseRate: rounded(own.baseRate),
    fired: among(leftOut).filter(hasFired),
    shortfall: isRecorded ? shortfall(own) : 'the sources that its rule was chosen on are not recorded',
  };
}

function hasFired({ healthy, failing }: SourceShares): boolean {
  return healthy.hits + failing.hits > 0;
}

/** The file that the maturity of a subtype and its documentation are read from; one subtype a line. */
export function subtypeFile(records: SubtypeRecords, date: string): string {
  const part = (seen: 'read' | 'known') => RUN_SOURCES.filter((source) => source.seen === seen).map(({ set }) => set);
  const lines = Object.entries(records).map(
    ([subtype, record]) => `    ${JSON.stringify(subtype)}: ${JSON.stringify(record)}`,
  );
  return `{
  "date": ${JSON.stringify(date)},
  "sources": ${JSON.stringify({ leftOut: part('read'), known: part('known') })},
  "subtypes": {
${lines.join(',\n')}
  }
}
`;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}
