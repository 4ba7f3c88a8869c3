import { wilsonInterval } from '../../../src/features/evaluation/wilson-interval.ts';
import type { JudgedRun } from './judge-runs.ts';
import {
  type FlagFigures,
  flagFigures,
  meanShare,
  type Share,
  type SubtypeFigures,
  subtypeFigures,
} from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';

const SEEN = {
  read: 'fitted on none of it; its dev part was read while rules were changed',
  known: 'rules and fitted parts were written with it at hand',
} as const;

/** Left-out sources first, then the known ones, then each subtype. */
export function runTables(runs: readonly JudgedRun[]): string {
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
    const several = own.filter(({ means }) => means.includes('several_models'));
    const head = [flagFigures('all runs', own), flagFigures('several model-driven agents', several)];
    return `## Runs: ${SEEN[seen]}\n\n${flagTable([...head, ...bySource])}\n\n${means(bySource)}\n`;
  });
  return [...parts, `## Subtypes at warning or higher, all sources\n\n${subtypeTable(runs)}`]
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
  const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
  const worst = Math.max(0, ...rows.map(({ healthy: { hits, n } }) => (n === 0 ? 0 : hits / n)));
  const mean = (pick: (row: FlagFigures) => Share) => percent(meanShare(rows.map(pick)));
  return `Mean over sources: healthy ${mean(({ healthy }) => healthy)}, failing ${mean(({ failing }) => failing)}; worst source, healthy: ${percent(worst)}.`;
}

/** Only subtypes that fired; the quiet ones are named below. */
function subtypeTable(runs: readonly JudgedRun[]): string {
  const all = subtypeFigures(runs, 'warning');
  const fired = all.filter(({ healthy, failing }) => healthy.hits + failing.hits > 0);
  fired.sort((a, b) => b.failing.hits + b.healthy.hits - (a.failing.hits + a.healthy.hits));
  const silent = all.filter((one) => !fired.includes(one)).map(({ subtype, healthy }) => `${subtype} (${healthy.n})`);
  return [
    '| subtype | healthy: fired of those that could | failing | precision against outcome | sources: healthy + failing |',
    '|---|---|---|---|---|',
    ...fired.map(subtypeRow),
    '',
    `Never fired (healthy runs that could have): ${silent.join(', ')}.`,
  ].join('\n');
}

function subtypeRow({ subtype, healthy, failing, bySource }: SubtypeFigures): string {
  const sources = bySource.map((one) => `${one.set} ${one.healthy}+${one.failing}`).join(', ');
  const precision = { hits: failing.hits, n: failing.hits + healthy.hits };
  return `| ${subtype} | ${shareText(healthy)} | ${shareText(failing)} | ${shareText(precision)} | ${sources} |`;
}

function shareText({ hits, n }: Share): string {
  if (n === 0) return '–';
  const [low, high] = wilsonInterval(hits, n).map((share) => (100 * share).toFixed(1));
  return `${((100 * hits) / n).toFixed(1)} % (${hits} of ${n}; ${low}–${high})`;
}
