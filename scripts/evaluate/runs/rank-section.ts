import { auroc } from '../../fit/metrics.ts';
import { countFigure, type Figure, groupedFigure, type Section } from '../figure.ts';
import type { AnalyzedRun } from './analyze-runs.ts';
import { RUN_SOURCES, type RunSource } from './run-sources.ts';

export const RANK_TITLE = 'Rank of failed runs within their own traffic';

interface RankedSource {
  source: RunSource;
  figure: Figure;
  /** Null if the number of steps is not known. */
  length: Figure | null;
}

/** Whether failing runs rank higher on `scores.failed` than healthy runs of the same source, compared with a rank by length. */
export function rankSection(runs: readonly AnalyzedRun[], date: string): Section {
  const ranked = RUN_SOURCES.flatMap((source): RankedSource[] => {
    const own = runs.filter(({ set, rank }) => set === source.set && rank !== null);
    if (own.length === 0) return [];
    const hasLengths = own.every(({ length }) => length !== null);
    return [
      {
        source,
        figure: areaFigure(source, own, ({ rank }) => rank!),
        length: hasLengths ? areaFigure(source, own, ({ length }) => length!, LENGTH_ALONE) : null,
      },
    ];
  });
  const leftOut = ranked.filter(({ source }) => source.seen === 'read');
  const fairly = leftOut.filter(({ source }) => source.isDecidedByLength !== true);
  const without = 'the same without sources that length separates';
  return {
    title: RANK_TITLE,
    about: `Measured on ${date}. AUROC of \`scores.failed\`, failing against healthy runs of one source. Each run is ranked without labels among the runs of its own source and framework (null below 30), and nothing is fitted. The signals were chosen on the known sources. *Length alone* is the AUROC of the number of steps, which the rank does not use. It separates sources whose runs stop at success (intercode_bash, intercode_python, autogen_humaneval), so the second mean leaves these out.`,
    figures: [
      meanFigure(
        'failed.auroc.mean.read',
        'mean over left-out sources',
        leftOut.map(({ figure }) => figure),
      ),
      meanFigure(
        'failed.auroc.mean.read.no_length',
        without,
        fairly.map(({ figure }) => figure),
      ),
      ...ranked.flatMap(({ figure, length }) => (length === null ? [figure] : [figure, length])),
    ].filter(({ n }) => n > 0),
  };
}

const LENGTH_ALONE = { id: 'length', label: 'AUROC, length alone' } as const;

function areaFigure(
  { set, seen }: RunSource,
  runs: readonly AnalyzedRun[],
  scoreOf: (run: AnalyzedRun) => number,
  other?: { id: string; label: string },
): Figure {
  return groupedFigure(
    {
      id: `failed.auroc.${other === undefined ? '' : `${other.id}.`}${set}`,
      label: other?.label ?? 'AUROC',
      set,
      basis: seen === 'read' ? 'never fitted' : 'as shipped',
      better: other === undefined ? 'higher' : 'none',
    },
    runs,
    ({ group }) => group,
    (some) => auroc(some.map((run) => ({ score: scoreOf(run), label: run.outcome === 'failing' }))),
  );
}

function meanFigure(id: string, set: string, figures: readonly Figure[]): Figure {
  const values = figures.flatMap(({ value }) => (value === null ? [] : [value]));
  const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
  return countFigure(
    { id, label: 'mean AUROC', set, basis: 'never fitted', better: 'higher', aim: 0.7 },
    value,
    values.length,
  );
}
