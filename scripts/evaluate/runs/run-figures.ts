import { isAtLeast, type Severity } from '../../../src/core/severity.ts';
import type { SubtypeInfo } from '../../../src/detectors/_kit/manifest.ts';
import { DETECTORS } from '../../../src/detectors/registry.ts';
import type { AnalyzedRun, RunOutcome } from './analyze-runs.ts';

/** A count and its total. */
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

/** Runs of one source with the subtype, of those in which it could have fired. */
export interface SourceShares {
  set: string;
  healthy: Share;
  failing: Share;
}

export interface SubtypeFigures {
  /** `type/subtype`. */
  subtype: string;
  /** Sources with at least one run in which it could have fired. */
  sources: SourceShares[];
}

export function flagFigures(name: string, runs: readonly AnalyzedRun[]): FlagFigures {
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

/** Every source has the same weight, regardless of its number of runs. */
export function meanShare(shares: readonly Share[]): number | null {
  const known = shares.filter(({ n }) => n > 0);
  return known.length === 0 ? null : known.reduce((sum, { hits, n }) => sum + hits / n, 0) / known.length;
}

export function pooledShare(shares: readonly Share[]): Share {
  return {
    hits: shares.reduce((sum, { hits }) => sum + hits, 0),
    n: shares.reduce((sum, { n }) => sum + n, 0),
  };
}

/** Every registered subtype; fired means `warning` or higher, for subtypes that never reach it `info`. */
export function subtypeFigures(runs: readonly AnalyzedRun[]): SubtypeFigures[] {
  const sets = [...Map.groupBy(runs, ({ set }) => set)];
  return DETECTORS.flatMap(({ detector: { type, subtypes, evaluation } }) =>
    Object.entries(subtypes as Record<string, SubtypeInfo>).map(
      ([subtype, { impact, runsWith = evaluation?.runsWith ?? [] }]): SubtypeFigures => {
        const floor = impact === 'info' ? 'info' : 'warning';
        const hasFired = ({ detections }: AnalyzedRun) =>
          detections.some((one) => one.type === type && one.subtype === subtype && isAtLeast(one.severity, floor));
        const isAble = (run: AnalyzedRun) =>
          !run.notApplicable.includes(type) && runsWith.every((feature) => run.features.includes(feature));
        const share = (own: readonly AnalyzedRun[], outcome: RunOutcome): Share => {
          const counted = own.filter((run) => run.outcome === outcome);
          // A run in which it fired counts as able to fire, independent of what its manifest requires.
          return {
            hits: counted.filter(hasFired).length,
            n: counted.filter((run) => isAble(run) || hasFired(run)).length,
          };
        };
        const sources = sets.map(([set, own]) => ({
          set,
          healthy: share(own, 'healthy'),
          failing: share(own, 'failing'),
        }));
        return {
          subtype: `${type}/${subtype}`,
          sources: sources.filter(({ healthy, failing }) => healthy.n + failing.n > 0),
        };
      },
    ),
  );
}

export function isFlagged({ detections }: AnalyzedRun, floor: Severity): boolean {
  return detections.some(({ severity }) => isAtLeast(severity, floor));
}
