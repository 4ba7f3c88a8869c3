import { auroc } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import { countFigure, type Figure, groupedFigure, type Section } from './figure.ts';
import { outcomeOf, type TraceSet } from './outcome.ts';
import { RUN_SOURCES, type RunSource } from './runs/run-sources.ts';

/** On average over left-out sources. */
const AIM = 0.7;

/** Whether failing runs rank higher on `scores.failed` than healthy runs of the same source. Left-out sources first. */
export function failureScores(cases: readonly Case[]): Section {
  const bySource = RUN_SOURCES.map((source) => ({ source, figure: areaFigure(source, cases) }));
  const figures = bySource.flatMap(({ figure }) => (figure === null ? [] : [figure]));
  return {
    title: 'Rank of failed runs within their own traffic',
    about:
      'AUROC of `scores.failed`, failing against healthy runs of one source. Each run is ranked without labels among the runs of its own source, and nothing is fitted. Which signs count was chosen on tau_bench, swebench_miniswe, masft_ag2_runs and agentdojo; the other sources were not looked at for it. Where runs stop at success, length alone separates them (intercode_bash, intercode_python, autogen_humaneval), so these are left out of the second mean.',
    figures: [
      meanFigure('failed.auroc.mean.read', 'mean over left-out sources', bySource, ({ seen }) => seen === 'read', AIM),
      meanFigure(
        'failed.auroc.mean.read.no_length',
        'the same without sources that length decides',
        bySource,
        ({ seen, isDecidedByLength }) => seen === 'read' && isDecidedByLength !== true,
      ),
      ...figures,
    ].filter(({ n }) => n > 0),
  };
}

interface Measured {
  source: RunSource;
  figure: Figure | null;
}

function areaFigure({ set, seen }: RunSource, cases: readonly Case[]): Figure | null {
  const own = cases.filter((one) => one.set === set && one.prediction.scores.failed !== null && isJudged(one));
  if (own.length === 0) return null;
  const basis = seen === 'read' ? 'never fitted' : 'as shipped';
  return groupedFigure(
    { id: `failed.auroc.${set}`, label: 'AUROC', set, basis, better: 'higher' },
    own,
    ({ group }) => group,
    (some) => auroc(some.map((one) => ({ score: one.prediction.scores.failed!, label: outcome(one) === 'failing' }))),
  );
}

function meanFigure(
  id: string,
  set: string,
  measured: readonly Measured[],
  isCounted: (source: RunSource) => boolean,
  aim?: number,
): Figure {
  const values = measured.flatMap(({ source, figure }) =>
    isCounted(source) && figure !== null && figure.value !== null ? [figure.value] : [],
  );
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return countFigure(
    { id, label: 'mean AUROC', set, basis: 'never fitted', better: 'higher', aim },
    mean,
    values.length,
  );
}

function isJudged(one: Case): boolean {
  const judged = outcome(one);
  return judged === 'healthy' || judged === 'failing';
}

function outcome({ set, labels }: Case) {
  return outcomeOf(set as TraceSet, { labels });
}
