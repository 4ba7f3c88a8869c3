import type { DetectionType } from '../../../src/core/detection.ts';
import type { MaturityLevel } from '../../../src/detectors/_kit/maturity.ts';
import type { MaturityTable } from '../../../src/detectors/maturity.ts';
import type { SubtypeRecord } from '../../../src/detectors/subtype-records.ts';
import { wilsonInterval } from '../../../src/features/evaluation/wilson-interval.ts';
import type { AnalyzedRun } from './analyze-runs.ts';
import { type FlagFigures, flagFigures, meanShare, type Share } from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';
import type { SubtypeRecords } from './subtype-file.ts';

const SEEN = {
  read: 'fitted on none of it; its dev part was read while rules were changed',
  known: 'rules and fitted parts were written with it at hand',
} as const;

/**
 * Left-out sources first, then the known ones, then each subtype.
 * @param runs as reported at default settings
 * @param records of the same runs with previews reported
 */
export function runTables(runs: readonly AnalyzedRun[], records: SubtypeRecords, maturity: MaturityTable): string {
  const parts = (['read', 'known'] as const).map((seen) => {
    const sets = RUN_SOURCES.filter((source) => source.seen === seen).map(({ set }) => set);
    const own = runs.filter(({ set }) => sets.includes(set));
    if (own.length === 0) return '';
    const bySource = sets.map((set) =>
      flagFigures(
        set,
        own.filter((run) => run.set === set),
      ),
    );
    const several = own.filter(({ features }) => features.includes('several_models'));
    const head = [flagFigures('all runs', own), flagFigures('several model-driven agents', several)];
    return `## Runs: ${SEEN[seen]}\n\n${flagTable([...head, ...bySource])}\n\n${means(bySource)}\n`;
  });
  return [...parts, `## Subtypes, previews as if they were reported\n\n${subtypeTable(records, maturity)}`]
    .filter(Boolean)
    .join('\n');
}

function flagTable(rows: readonly FlagFigures[]): string {
  const lines = rows
    .filter(({ healthy, failing }) => healthy.n + failing.n > 0)
    .map(
      ({ name, healthy, failing, healthyCritical }) =>
        `| ${name} | ${shareText(healthy)} | ${shareText(failing)} | ${shareText(healthyCritical)} |`,
    );
  return ['| source | healthy, warning+ | failing, warning+ | healthy, critical |', '|---|---|---|---|', ...lines].join(
    '\n',
  );
}

function means(rows: readonly FlagFigures[]): string {
  const worst = Math.max(0, ...rows.map(({ healthy: { hits, n } }) => (n === 0 ? 0 : hits / n)));
  const mean = (pick: (row: FlagFigures) => Share) => percent(meanShare(rows.map(pick)));
  return `Mean over sources: healthy ${mean(({ healthy }) => healthy)}, failing ${mean(({ failing }) => failing)}; worst source, healthy: ${percent(worst)}.`;
}

/** Subtypes that fired, facts first; the quiet ones are named below. */
function subtypeTable(records: SubtypeRecords, maturity: MaturityTable): string {
  const all = Object.entries(records).map(([subtype, record]) => ({
    subtype,
    record,
    level: levelIn(maturity, subtype),
  }));
  const fired = all.filter(({ record }) => firedIn(record) > 0);
  fired.sort((a, b) => RANK[a.level] - RANK[b.level] || firedIn(b.record) - firedIn(a.record));
  const silent = all.filter((one) => !fired.includes(one)).map(({ subtype, record }) => `${subtype} (${able(record)})`);
  return [
    '| subtype | level | left out: healthy | failing | precision against outcome, base rate | by source: healthy + failing | seen: healthy | failing | not measured because |',
    '|---|---|---|---|---|---|---|---|---|',
    ...fired.map(subtypeRow),
    '',
    `Never fired (healthy runs that could have): ${silent.join(', ')}.`,
  ].join('\n');
}

const RANK: Readonly<Record<MaturityLevel, number>> = { fact: 0, measured: 1, preview: 2 };

function levelIn(maturity: MaturityTable, key: string): MaturityLevel {
  const [type, subtype] = key.split('/') as [DetectionType, string];
  return maturity[type][subtype]?.level ?? 'preview';
}

interface Row {
  subtype: string;
  level: MaturityLevel;
  record: SubtypeRecord;
}

function subtypeRow({ subtype, level, record }: Row): string {
  const { leftOut, known, fired, precision, interval, baseRate, shortfall } = record;
  const sources = fired.map(
    ({ set, healthy, failing }) => `${set} ${healthy.hits}/${healthy.n} + ${failing.hits}/${failing.n}`,
  );
  const right =
    precision === null ? '–' : `${percent(precision)} (${interval!.map(percent).join('–')}), base ${percent(baseRate)}`;
  const why = level === 'fact' ? '' : (shortfall ?? '');
  return `| ${subtype} | ${level} | ${countText(leftOut.healthy)} | ${countText(leftOut.failing)} | ${right} | ${sources.join(', ')} | ${countText(known.healthy)} | ${countText(known.failing)} | ${why} |`;
}

function firedIn({ leftOut, known }: SubtypeRecord): number {
  return leftOut.healthy.hits + leftOut.failing.hits + known.healthy.hits + known.failing.hits;
}

function able({ leftOut, known }: SubtypeRecord): number {
  return leftOut.healthy.n + known.healthy.n;
}

function countText({ hits, n }: Share): string {
  return n === 0 ? '–' : `${hits} of ${n}`;
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function shareText({ hits, n }: Share): string {
  if (n === 0) return '–';
  const [low, high] = wilsonInterval(hits, n).map((share) => (100 * share).toFixed(1));
  return `${((100 * hits) / n).toFixed(1)} % (${hits} of ${n}; ${low}–${high})`;
}
