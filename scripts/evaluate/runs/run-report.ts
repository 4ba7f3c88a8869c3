import { isAtLeast } from '../../../src/core/severity.ts';
import type { DetectorScores, FlagRateFigures } from '../../../src/detectors/detector-scores.ts';
import { wilsonInterval } from '../../../src/features/evaluation/wilson-interval.ts';
import { auroc } from '../../fit/metrics.ts';
import type { Evaluation } from '../evaluation.ts';
import { countFigure, type Figure, groupedFigure, type Section, shareFigure } from '../figure.ts';
import type { JudgedRun, RunOutcome } from './judge-runs.ts';
import { isFlagged, meanShare } from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';

export const FLAG_TITLE = 'Runs flagged, left-out sources first';
export const RANK_TITLE = 'Rank of failed runs within their own traffic';
/** Sections that this replaces. */
const REPLACED = [FLAG_TITLE, RANK_TITLE, 'Alarms on healthy and on failing runs', 'Risk that a run failed'];
/** Sections that rest on detections and are not measured again here. */
const OUTDATED = ['Self-calibration to the traffic of one tenant', 'Whether confidence means what it says'];

/** The report with the figures of these runs in place of older ones. */
export function withRunFigures(report: Evaluation, runs: readonly JudgedRun[], date: string): Evaluation {
  const kept = report.sections.filter(({ title }) => !REPLACED.includes(title));
  const sections = [flagSection(runs, date), rankSection(runs, date), ...kept.map((one) => outdated(one, report.date))];
  const sets = Object.fromEntries([...Map.groupBy(runs, ({ set }) => set)].map(([set, own]) => [set, own.length]));
  return { ...report, sets: { ...sets, ...report.sets }, sections, scores: withFlagRates(report.scores, runs) };
}

function outdated(section: Section, date: string | null): Section {
  if (!OUTDATED.includes(section.title) || section.about.startsWith('**Measured')) return section;
  const note = `**Measured on ${date ?? 'an earlier day'}, before subtypes had a maturity and before \`likely_failed\` was removed.** `;
  return { ...section, about: `${note}${section.about}` };
}

const PARTS = [
  { seen: 'read', basis: 'never fitted', name: 'left-out sources' },
  { seen: 'known', basis: 'as shipped', name: 'known sources' },
] as const;

function flagSection(runs: readonly JudgedRun[], date: string): Section {
  const figures = PARTS.flatMap(({ seen, basis, name }) => {
    const sets = RUN_SOURCES.filter((source) => source.seen === seen).map(({ set }) => set);
    const own = runs.filter(({ set }) => sets.includes(set));
    const several = own.filter(({ means }) => means.includes('several_models'));
    const figure = (outcome: RunOutcome, floor: 'warning' | 'critical', some: readonly JudgedRun[], set: string) => {
      const counted = some.filter((run) => run.outcome === outcome);
      const better = outcome === 'healthy' ? 'lower' : 'higher';
      const key = set.replaceAll(' ', '_');
      const label = `${outcome} runs with ${floor}${floor === 'warning' ? ' or higher' : ''}`;
      const hits = counted.filter((run) => isFlagged(run, floor)).length;
      return shareFigure({ id: `runs.${outcome}.${floor}.${key}`, label, set, basis, better }, hits, counted.length);
    };
    const pooled = [
      figure('healthy', 'warning', own, name),
      figure('failing', 'warning', own, name),
      figure('healthy', 'critical', own, name),
      figure('healthy', 'warning', several, `${name}, several model-driven agents`),
      figure('failing', 'warning', several, `${name}, several model-driven agents`),
    ];
    const bySource = sets.map((set) => {
      const some = own.filter((run) => run.set === set);
      return [figure('healthy', 'warning', some, set), figure('failing', 'warning', some, set)] as const;
    });
    const mean = (outcome: RunOutcome, at: 0 | 1): Figure =>
      countFigure(
        {
          id: `runs.${outcome}.mean.${seen}`,
          label: `${outcome} runs with warning or higher, mean over sources`,
          set: name,
          basis,
          better: outcome === 'healthy' ? 'lower' : 'higher',
        },
        meanShare(bySource.map((pair) => ({ hits: (pair[at].value ?? 0) * pair[at].n, n: pair[at].n }))),
        sets.length,
      );
    return [...pooled, mean('healthy', 0), mean('failing', 1), ...bySource.flat()];
  });
  return {
    title: FLAG_TITLE,
    about: `Measured on ${date}. Share of runs with a detection of that severity at default settings. Healthy: passed, resolved, correct, or reached the goal without an attack. *Left-out sources*: nothing is fitted on them and their rules were not written with them at hand, but their dev part was read while subtypes were switched to preview and rules repaired, so expect a little less on unseen sources; those are scored elsewhere. *Known sources*: rules and fitted parts were written with them at hand.`,
    figures: figures.filter(({ n }) => n > 0),
  };
}

function rankSection(runs: readonly JudgedRun[], date: string): Section {
  const ranked = RUN_SOURCES.flatMap((source) => {
    const own = runs.filter(({ set, rank }) => set === source.set && rank !== null);
    if (own.length === 0) return [];
    const basis = source.seen === 'read' ? ('never fitted' as const) : ('as shipped' as const);
    const figure = groupedFigure(
      { id: `failed.auroc.${source.set}`, label: 'AUROC', set: source.set, basis, better: 'higher' },
      own,
      ({ group }) => group,
      (some) => auroc(some.map(({ rank, outcome }) => ({ score: rank!, label: outcome === 'failing' }))),
    );
    return [{ source, figure }];
  });
  const mean = (id: string, set: string, isCounted: (source: (typeof RUN_SOURCES)[number]) => boolean) => {
    const values = ranked.flatMap(({ source, figure }) =>
      isCounted(source) && figure.value !== null ? [figure.value] : [],
    );
    const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
    return countFigure(
      { id, label: 'mean AUROC', set, basis: 'never fitted', better: 'higher', aim: 0.7 },
      value,
      values.length,
    );
  };
  return {
    title: RANK_TITLE,
    about: `Measured on ${date}. AUROC of \`scores.failed\`, failing against healthy runs of one source. Each run is ranked without labels among the runs of its own source and framework (null below 30), and nothing is fitted. Which signs count was chosen on the known sources. Where runs stop at success, length alone separates them (intercode_bash, intercode_python, autogen_humaneval): the second mean leaves these out.`,
    figures: [
      mean('failed.auroc.mean.read', 'mean over left-out sources', ({ seen }) => seen === 'read'),
      mean(
        'failed.auroc.mean.read.no_length',
        'the same without sources that length decides',
        ({ seen, isDecidedByLength }) => seen === 'read' && isDecidedByLength !== true,
      ),
      ...ranked.map(({ figure }) => figure),
    ].filter(({ n }) => n > 0),
  };
}

/** Flag rates of each detector over all sources. */
function withFlagRates(scores: DetectorScores, runs: readonly JudgedRun[]): DetectorScores {
  return {
    ...scores,
    detectors: scores.detectors.map((figures) => {
      const rate = (outcome: RunOutcome): FlagRateFigures | null => {
        const own = runs.filter((run) => run.outcome === outcome && !run.notApplicable.includes(figures.detector));
        const fired = own.filter(({ detections }) =>
          detections.some(({ type, severity }) => type === figures.detector && isAtLeast(severity, 'warning')),
        ).length;
        if (own.length === 0) return null;
        const [low, high] = wilsonInterval(fired, own.length);
        return { n: own.length, fired, value: rounded(fired / own.length), interval: [rounded(low), rounded(high)] };
      };
      return { ...figures, healthy: rate('healthy'), failing: rate('failing') };
    }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
