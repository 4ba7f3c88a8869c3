import type { JsonObject } from '../../src/core/json.ts';
import { MATURITY } from '../../src/detectors/maturity.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { asText } from '../../test/support/invariance/as-text.ts';
import { dataFolder, type LabelledRecord, loadSet } from '../fit/load-set.ts';
import { type AnalyzedRun, analyzeRun, atDefaultSettings } from './runs/analyze-runs.ts';

/**
 * Compares runs whose calls are recorded with the same runs whose calls are only in the texts of the answers, and prints
 * how many healthy and failing runs get a warning in each form. Only sets whose answers contain their calls.
 * `node scripts/evaluate/written-calls.ts [--data DIR]`
 */
const SETS = ['intercode_bash', 'hotpot_react', 'swe_agent', 'swebench_miniswe'];
const models = createModelCatalog();

function flagged(records: readonly LabelledRecord[], outcome: AnalyzedRun['outcome']): string {
  const runs = records.flatMap((record) => analyzeRun(record, models) ?? []).filter((run) => run.outcome === outcome);
  const warned = atDefaultSettings(runs, MATURITY).filter(({ detections }) =>
    detections.some(({ severity }) => severity === 'warning' || severity === 'critical'),
  );
  return `${warned.length} of ${runs.length}`;
}

console.log('set\trecorded: healthy\tfailing\tas text: healthy\tfailing');
for (const set of SETS) {
  const recorded = loadSet(set, dataFolder());
  const texts = recorded.map((record) => ({ ...record, raw: asText(record.raw) as JsonObject }));
  const counts = [recorded, texts].flatMap((records) => [flagged(records, 'healthy'), flagged(records, 'failing')]);
  console.log([set, ...counts].join('\t'));
}
