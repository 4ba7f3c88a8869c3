import type { JudgedRun } from './judge-runs.ts';
import { type SubtypeFigures, subtypeFigures } from './run-figures.ts';
import { RUN_SOURCES } from './run-sources.ts';

/** What docs/detectors.md shows of each subtype: fired at `warning` or higher, of the runs in which it could have fired. */
export function subtypeFile(runs: readonly JudgedRun[], date: string) {
  const part = (seen: 'read' | 'known') => {
    const sets = RUN_SOURCES.filter((source) => source.seen === seen).map(({ set }) => set);
    return {
      sets,
      figures: subtypeFigures(
        runs.filter(({ set }) => sets.includes(set)),
        'warning',
      ),
    };
  };
  const [leftOut, known] = [part('read'), part('known')];
  const counts = ({ healthy, failing }: SubtypeFigures) => ({ healthy, failing });
  return {
    date,
    sources: { leftOut: leftOut.sets, known: known.sets },
    subtypes: Object.fromEntries(
      leftOut.figures.map((figures, at) => [
        figures.subtype,
        { leftOut: counts(figures), known: counts(known.figures[at]!) },
      ]),
    ),
  };
}
