import type { Trace } from '../../src/core/trace.ts';
import { runDetectors } from '../../src/detectors/_runner/run.ts';
import { settingsFor } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { linesOf } from '../../test/support/invariance/detected.ts';
import { RENAMES, renamed } from '../../test/support/invariance/rename.ts';
import { dataFolder, loadSet, unlabelled } from '../fit/load-set.ts';
import { RUN_SOURCES } from './runs/run-sources.ts';

/**
 * Renames tools, agents, ids and files in the runs of the development sets and prints how many detections disappear and how many appear, by subtype. It prints counts only. `node scripts/evaluate/invariance.ts [--set NAME] [--data DIR]`
 */
interface Count {
  before: number;
  removed: number;
  added: number;
}

const args = process.argv.slice(2);
const named = args.flatMap((arg, at) => (arg === '--set' && args[at + 1] !== undefined ? [args[at + 1]!] : []));
const sets = RUN_SOURCES.map(({ set }) => set).filter((set) => named.length === 0 || named.includes(set));
if (sets.length === 0) throw new Error(`--set: no set of runs is called ${named.join(', ')}`);
const models = createModelCatalog();

function reported(trace: Trace): string[] {
  const settings = { ...settingsFor(DEFAULT_DETECTION, trace.framework), models };
  return linesOf(runDetectors(trace, settings).detections);
}

function subtypeOf(line: string): string {
  return line.slice(0, line.indexOf(' '));
}

function counted(counts: Map<string, Count>, line: string, field: keyof Count): void {
  const key = subtypeOf(line);
  const count = counts.get(key) ?? { before: 0, removed: 0, added: 0 };
  count[field] += 1;
  counts.set(key, count);
}

const counts = new Map(RENAMES.map((rename) => [rename, new Map<string, Count>()]));
const runs = new Map(RENAMES.map((rename) => [rename, { renamed: 0, differing: 0 }]));
for (const set of sets) {
  const records = loadSet(set, dataFolder());
  for (const record of records) {
    const { spans } = decodeRecord(unlabelled(record));
    const trace = buildTrace(spans, { models, isSettled: true });
    const before = reported(trace);
    for (const rename of RENAMES) {
      const other = renamed(trace, rename);
      if (other === null) continue;
      const after = reported(other.trace);
      const own = counts.get(rename)!;
      const removed = before.filter((line) => !after.includes(line));
      const added = after.filter((line) => !before.includes(line));
      for (const line of before) counted(own, line, 'before');
      for (const line of removed) counted(own, line, 'removed');
      for (const line of added) counted(own, line, 'added');
      const total = runs.get(rename)!;
      total.renamed += 1;
      if (removed.length + added.length > 0) total.differing += 1;
    }
  }
  process.stderr.write(`${set}: ${records.length} runs\n`);
}

for (const rename of RENAMES) {
  const total = runs.get(rename)!;
  console.log(`\n${rename}: ${total.differing} of ${total.renamed} runs differ`);
  console.log('subtype\tbefore\tremoved\tadded');
  const rows = [...counts.get(rename)!].sort(([one], [other]) => one.localeCompare(other));
  for (const [subtype, { before, removed, added }] of rows)
    if (removed + added > 0) console.log(`${subtype}\t${before}\t${removed}\t${added}`);
}
