import { isAtLeast, type Severity } from '../../../src/core/severity.ts';
import { DETECTORS } from '../../../src/detectors/registry.ts';
import { meansFor } from './could-fire.ts';
import type { JudgedRun, RunOutcome } from './judge-runs.ts';

/** How many of so many. */
export interface Share {
  hits: number;
  n: number;
}

export interface FlagFigures {
  name: string;
  healthy: Share;
  failing: Share;
  healthyCritical: Share;
}

export interface SubtypeFigures {
  subtype: string;
  /** Healthy runs with it at `warning` or higher, of those in which it could have fired. */
  healthy: Share;
  failing: Share;
  /** By source where it fired: healthy and failing. */
  bySource: { set: string; healthy: number; failing: number }[];
}

export function flagFigures(name: string, runs: readonly JudgedRun[]): FlagFigures {
  const share = (outcome: RunOutcome, floor: Severity): Share => {
    const own = runs.filter((run) => run.outcome === outcome);
    return { hits: own.filter((run) => isFlagged(run, floor)).length, n: own.length };
  };
  return {
    name,
    healthy: share('healthy', 'warning'),
    failing: share('failing', 'warning'),
    healthyCritical: share('healthy', 'critical'),
  };
}

/** Sources count alike, however many runs they have. */
export function meanShare(shares: readonly Share[]): number | null {
  const known = shares.filter(({ n }) => n > 0);
  return known.length === 0 ? null : known.reduce((sum, { hits, n }) => sum + hits / n, 0) / known.length;
}

/** Every registered subtype; `floor` is the lowest severity that counts as fired. */
export function subtypeFigures(runs: readonly JudgedRun[], floor: Severity): SubtypeFigures[] {
  return DETECTORS.flatMap(({ detector: { type, subtypes } }) =>
    Object.keys(subtypes).map((subtype): SubtypeFigures => {
      const means = meansFor(type, subtype);
      const able = runs.filter(
        (run) => !run.notApplicable.includes(type) && (means === null || run.means.includes(means)),
      );
      const fired = runs.filter(({ detections }) =>
        detections.some((one) => one.type === type && one.subtype === subtype && isAtLeast(one.severity, floor)),
      );
      const of = (some: readonly JudgedRun[], outcome: RunOutcome) =>
        some.filter((run) => run.outcome === outcome).length;
      // A run in which it fired could have fired, whatever the table of means says.
      const couldHave = new Set([...able, ...fired]);
      const share = (outcome: RunOutcome): Share => ({ hits: of(fired, outcome), n: of([...couldHave], outcome) });
      const sets = [...Map.groupBy(fired, ({ set }) => set)];
      return {
        subtype: `${type}/${subtype}`,
        healthy: share('healthy'),
        failing: share('failing'),
        bySource: sets.map(([set, own]) => ({ set, healthy: of(own, 'healthy'), failing: of(own, 'failing') })),
      };
    }),
  );
}

export function isFlagged({ detections }: JudgedRun, floor: Severity): boolean {
  return detections.some(({ severity }) => isAtLeast(severity, floor));
}
