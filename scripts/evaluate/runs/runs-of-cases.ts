import type { Case } from '../cases.ts';
import { type AnalyzedRun, runOutcomeOf } from './analyze-runs.ts';
import { RUN_SOURCES } from './run-sources.ts';

const SETS = new Set(RUN_SOURCES.map(({ set }) => set));

/** Runs as a predictions file states them: what they contain is not known. */
export function runsOfCases(cases: readonly Case[]): AnalyzedRun[] {
  return cases.flatMap((one): AnalyzedRun[] => {
    const outcome = runOutcomeOf(one);
    if (outcome === null || !SETS.has(one.set)) return [];
    const { id, set, group, prediction } = one;
    return [
      {
        id,
        set,
        group,
        outcome,
        features: [],
        notApplicable: [],
        detections: prediction.detections.map(({ type, subtype, severity }) => ({ type, subtype, severity })),
        crashes: [],
        framework: set,
        length: null,
        columns: new Float64Array(),
        rank: prediction.scores.failed,
      },
    ];
  });
}
