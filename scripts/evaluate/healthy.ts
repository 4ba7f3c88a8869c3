/** How often each detector speaks up on runs that went well, and on those that did not. `--help` tells the options. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { DETECTION_TYPES, type DetectionType } from '../../src/core/detection.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../src/core/json.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/thresholds.ts';
import type { EngineSettings } from '../../src/detectors/_kit/run.ts';
import { DETECTORS } from '../../src/detectors/registry.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { judgeRecord } from './judge-record.ts';
import { OUTCOMES, outcomeOf, TRACE_SETS, type TraceSet } from './outcome.ts';
import { crashTable, detectorTable, groupTable, showcase } from './report.ts';
import { detectorReports, groupReports, offByDefault, type Verdict } from './tally.ts';

const HELP = `node scripts/evaluate/healthy.ts [options]
  --data DIR      folder of the sets (default ../shared/datasets/dev)
  --set NAME      only this set; may be repeated
  --limit N       only the first N records of each set
  --show TYPE     the records on which this detector is surest, healthy ones first
  --json FILE     the whole report as JSON`;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/datasets/dev' },
    set: { type: 'string', multiple: true },
    limit: { type: 'string' },
    show: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else run();

function run(): void {
  const types = DETECTORS.map(({ detector }) => detector.type);
  const settings = everythingOn(types);
  const sets = TRACE_SETS.filter((set) => options.set === undefined || options.set.includes(set));
  const verdicts = sets.flatMap((set) => judgeSet(set, settings));
  if (verdicts.length === 0) throw new Error(`no records under ${options.data}`);
  const reports = detectorReports(verdicts, types);
  const groups = groupReports(verdicts, offByDefault(reports));
  console.log(groupTable(groups));
  console.log(detectorTable(reports));
  console.log(crashTable(verdicts));
  if (options.show !== undefined) console.log(showcase(verdicts, typeNamed(options.show)));
  if (options.json !== undefined) writeJson(options.json, { groups, detectors: Object.fromEntries(reports) });
}

/** Every detector at its default threshold: a detector that is off would otherwise measure as silent and be switched on. */
function everythingOn(types: readonly DetectionType[]): EngineSettings {
  return {
    thresholds: DEFAULT_THRESHOLDS,
    models: createModelCatalog(),
    overrides: {},
    enabled: Object.fromEntries(types.map((type) => [type, true])),
  };
}

function judgeSet(set: TraceSet, settings: EngineSettings): Verdict[] {
  const file = join(options.data, `${set}.jsonl.gz`);
  if (!existsSync(file)) return [];
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  const chosen = lines.slice(0, options.limit === undefined ? undefined : Number(options.limit));
  const verdicts = chosen.map((line) => judgeLine(set, line, settings));
  return verdicts.sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome));
}

function judgeLine(set: TraceSet, line: string, settings: EngineSettings): Verdict {
  const record = parseJson(line);
  if (!isJsonObject(record)) throw new Error(`${set} has a line that is no record`);
  const judgement = judgeRecord(record, settings, () => performance.now());
  return { id: idOf(record), set, outcome: outcomeOf(set, record), bytes: line.length, judgement };
}

function idOf(record: JsonObject): string {
  return typeof record.id === 'string' ? record.id : '';
}

function typeNamed(name: string): DetectionType {
  const type = DETECTION_TYPES.find((known) => known === name);
  if (type === undefined) throw new Error(`unknown detector ${name}; known are ${DETECTION_TYPES.join(', ')}`);
  return type;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
