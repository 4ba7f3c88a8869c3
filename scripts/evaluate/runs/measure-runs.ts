import { failureRanks } from '../../../src/detectors/_attribution/failure-rank.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { loadSet } from '../../fit/load-set.ts';
import { type AnalyzedRun, analyzeRun } from './analyze-runs.ts';
import { RUN_SOURCES } from './run-sources.ts';

export interface MeasureOptions {
  data: string;
  /** Only these sets; all if empty. */
  sets: readonly string[];
  log(line: string): void;
}

/** Each run with its rank among those of its framework. */
function ranked(runs: readonly AnalyzedRun[]): AnalyzedRun[] {
  return [...Map.groupBy(runs, ({ framework }) => framework).values()].flatMap((own) => {
    const ranks = failureRanks(own.map(({ columns }) => columns));
    return own.map((run, at) => ({ ...run, rank: ranks[at]! }));
  });
}

/** Analyzes the runs of each source with previews reported, one source in memory at a time. */
export function measureRuns({ data, sets, log }: MeasureOptions): AnalyzedRun[] {
  const models = createModelCatalog();
  const chosen = RUN_SOURCES.filter(({ set }) => sets.length === 0 || sets.includes(set));
  return chosen.flatMap(({ set }) => {
    const runs = ranked(loadSet(set, data).flatMap((record) => analyzeRun(record, models) ?? []));
    const crashes = runs.flatMap((run) => run.crashes);
    log(`${set}: ${runs.length} runs${crashes.length === 0 ? '' : `, ${crashes.length} crashes: ${crashes[0]}`}`);
    return runs;
  });
}
