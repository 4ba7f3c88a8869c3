import { countFigure, type Figure, type Section, shareFigure } from '../figure.ts';
import type { AnalyzedRun, RunOutcome } from './analyze-runs.ts';
import { isFlagged, meanShare } from './run-figures.ts';
import { byUnseenRules } from './seen-by-rules.ts';
import { runsOf, SOURCE_PARTS, type SourcePart, setsOf, withSeveralModels } from './source-parts.ts';

export const FLAG_TITLE = 'Runs flagged, left-out sources first';

/** Share of healthy and failing runs with an alarm: pooled, mean over sources, and each source. */
export function flagSection(runs: readonly AnalyzedRun[], date: string): Section {
  return {
    title: FLAG_TITLE,
    about: `Measured on ${date}. Share of runs with a detection of that severity at default settings. Healthy: passed, resolved, correct, or reached the goal without an attack. *Left-out sources*: nothing is fitted on them and most rules were written without them. Their development part was read while subtypes were switched to preview and rules were repaired, and some rules were chosen on some of them ([detectors.md](detectors.md) names these), so figures on unseen sources, which are scored elsewhere, will be lower. *Rules chosen elsewhere*: only detections count whose rule was chosen without reading runs of that source. *Known sources*: rules and fitted parts were written with them.`,
    figures: SOURCE_PARTS.flatMap((part) => partFigures(part, runs)).filter(({ n }) => n > 0),
  };
}

function partFigures(part: SourcePart, runs: readonly AnalyzedRun[]): Figure[] {
  const own = runsOf(part, runs);
  const several = withSeveralModels(own);
  const severalName = `${part.name}, several model-driven agents`;
  const bySource = setsOf(part).map((set) => own.filter((run) => run.set === set));
  return [
    flaggedShare(part, own, 'healthy', 'warning', part.name),
    flaggedShare(part, own, 'failing', 'warning', part.name),
    flaggedShare(part, own, 'healthy', 'critical', part.name),
    flaggedShare(part, several, 'healthy', 'warning', severalName),
    flaggedShare(part, several, 'failing', 'warning', severalName),
    flaggedMean(part, own, 'healthy'),
    flaggedMean(part, own, 'failing'),
    ...bySource.flatMap((some) => {
      const set = some[0]?.set;
      if (set === undefined) return [];
      const all = (['healthy', 'failing'] as const).map((outcome) => flaggedShare(part, some, outcome, 'warning', set));
      const unseen = `${set}, rules chosen elsewhere`;
      return part.seen === 'read'
        ? [...all, flaggedShare(part, byUnseenRules(some), 'failing', 'warning', unseen)]
        : all;
    }),
  ];
}

export function flaggedShare(
  { basis }: Pick<SourcePart, 'basis'>,
  runs: readonly AnalyzedRun[],
  outcome: RunOutcome,
  floor: 'warning' | 'critical',
  set: string,
): Figure {
  const own = runs.filter((run) => run.outcome === outcome);
  const topic = {
    id: `runs.${outcome}.${floor}.${set.replaceAll(' ', '_')}`,
    label: `${outcome} runs with ${floor}${floor === 'warning' ? ' or higher' : ''}`,
    set,
    basis,
    better: outcome === 'healthy' ? 'lower' : 'higher',
  } as const;
  return shareFigure(topic, own.filter((run) => isFlagged(run, floor)).length, own.length);
}

export function flaggedMean(
  { basis, name }: Pick<SourcePart, 'basis' | 'name'>,
  runs: readonly AnalyzedRun[],
  outcome: RunOutcome,
): Figure {
  const shares = flaggedBySource(runs, outcome);
  const topic = {
    id: `runs.${outcome}.mean.${name.replaceAll(' ', '_')}`,
    label: `${outcome} runs with warning or higher, mean over sources`,
    set: name,
    basis,
    better: outcome === 'healthy' ? 'lower' : 'higher',
  } as const;
  return countFigure(topic, meanShare(shares), shares.length);
}

/** One share a source that has runs of this outcome. */
export function flaggedBySource(runs: readonly AnalyzedRun[], outcome: RunOutcome) {
  const own = runs.filter((run) => run.outcome === outcome);
  return [...Map.groupBy(own, ({ set }) => set)].map(([set, some]) => ({
    set,
    hits: some.filter((run) => isFlagged(run, 'warning')).length,
    n: some.length,
  }));
}
