/** Prints the data of docs/walk-throughs.md: steps, annotations and detections of single records, no texts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isJsonObject, type JsonObject } from '../../src/core/json.ts';
import type { Trace } from '../../src/core/trace.ts';
import { rankSteps } from '../../src/detectors/_attribution/rank-steps.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { rootCauseOf } from '../../src/features/traces/root-cause.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord, recordStepIndexes } from '../../src/formats/records/decode-record.ts';
import { DEFAULT_DATA, type LabelledRecord, loadSet, unlabelled } from '../fit/load-set.ts';
import { trailDetections } from '../trail/trail-categories.ts';
import { ruleDetections } from '../trail/trail-rules.ts';
import { readTrailRun } from '../trail/trail-run.ts';

const HELP = `node scripts/evaluate/walk-through.ts [options] [records]
  records       ends of record ids (default: those of docs/walk-throughs.md)
  --data DIR    folder of the sets (default ${DEFAULT_DATA})
  --fits DIR    held-out answers that \`npm run evaluate -- --fits DIR\` cached; without it the shipped weights
                are used, which have seen these records`;

/** The records of docs/walk-throughs.md. */
const CHOSEN: readonly string[] = [
  'trail/0140b3f657eddf76ca82f72c49ac8e58',
  'trail/1dd91d388cb4889e6c1f5ea5ca06bce6',
  'trail/8fa1892f94c9cfd3b66e60b5571cdc86',
  'whowhen/Algorithm-Generated/12',
  'whowhen/Hand-Crafted/43',
  'whowhen/Algorithm-Generated/4',
];

type Pair = readonly [step: number, category: string];

interface CachedFits {
  trail: ReadonlyMap<string, { span_id: string; category: string }[]>;
  attribution: ReadonlyMap<string, { agent: string | null; step: number; top: number[] }>;
}

if (import.meta.main) main();

function main(): void {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      data: { type: 'string', default: DEFAULT_DATA },
      fits: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) console.log(HELP);
  else if (!existsSync(options.data)) console.log(`skipped: there are no labelled sets under ${options.data}`);
  else print(options.data, readCachedFits(options.fits), positionals.length > 0 ? positionals : CHOSEN);
}

function print(data: string, cachedFits: CachedFits, recordEnds: readonly string[]): void {
  const records = ['trail', 'whowhen'].flatMap((set) => loadSet(set, data));
  for (const end of recordEnds)
    for (const record of records.filter(({ id }) => id.endsWith(end)))
      console.log(`${walkThrough(record, cachedFits)}\n`);
}

function readCachedFits(folder: string | undefined): CachedFits {
  const read = <Answer>(name: string): ReadonlyMap<string, Answer> => {
    const file = join(folder ?? '', `${name}.json`);
    if (folder === undefined || !existsSync(file)) return new Map();
    return new Map((JSON.parse(readFileSync(file, 'utf8')) as { outOfFold: [string, Answer][] }).outOfFold);
  };
  return { trail: read('trail'), attribution: read('attribution') };
}

/** One record as lines. Labels are read only for the comparison, after the analysis. */
export function walkThrough(record: LabelledRecord, cachedFits: CachedFits): string {
  const { spans } = decodeRecord(unlabelled(record));
  const models = createModelCatalog();
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  const reported = result.detections.filter(({ severity }) => severity !== 'observation');
  const detections = reported.map(
    ({ type, subtype, severity, confidence, step }) =>
      `  ${severity} ${type}/${subtype} at ${step ?? 'the whole run'}, confidence ${confidence.toFixed(2)}`,
  );
  const cause = rootCauseOf(trace, result.detections);
  return [
    `## ${record.id}`,
    `${trace.steps.length} steps, agents: ${trace.agents.join(', ')}`,
    `Detections: ${reported.length}`,
    ...detections,
    `Root cause: ${cause === null ? 'none before the detections' : `step ${cause.step} of ${cause.agent}, ${cause.confidence}: ${cause.why.join('; ')}`}`,
    ...(record.dataset === 'trail'
      ? trailLines(record, trace, cachedFits)
      : attributionLines(record, trace, cachedFits, recordStepIndexes(spans))),
  ].join('\n');
}

function trailLines(record: LabelledRecord, trace: Trace, { trail }: CachedFits): string[] {
  const stepOf = new Map(trace.steps.map(({ spanId, index }) => [spanId, index]));
  const pairs = (all: readonly { spanId: string; category: string }[]): Pair[] =>
    all.map(({ spanId, category }) => [stepOf.get(spanId) ?? -1, category]);
  const held = trail.get(record.id)?.map(({ span_id, category }) => ({ spanId: span_id, category }));
  const gold = goldOf(record).map(({ spanId, category, impact }) => ({
    pair: pairs([{ spanId, category }])[0]!,
    impact,
  }));
  const known = new Set(gold.map(({ pair }) => pair.join(' ')));
  const marked = (all: readonly Pair[]) =>
    all.map(
      (pair) => `  ${known.has(pair.join(' ')) ? 'right' : 'other'}  ${pair[0]} ${nameOf(trace, pair[0])}: ${pair[1]}`,
    );
  const found = pairs(held ?? trailDetections(trace));
  const named = new Set(found.map((pair) => pair.join(' ')));
  return [
    `By category (${held === undefined ? 'shipped weights, which have seen this trace' : 'held out'}):`,
    ...marked(found),
    'By rules alone:',
    ...marked(pairs(ruleDetections(readTrailRun(trace)))),
    'Annotated:',
    ...gold.map(
      ({ pair, impact }) =>
        `  ${named.has(pair.join(' ')) ? 'found ' : 'missed'} ${pair[0]} ${nameOf(trace, pair[0])}: ${pair[1]}, ${impact}`,
    ),
  ];
}

function attributionLines(
  record: LabelledRecord,
  trace: Trace,
  { attribution }: CachedFits,
  indexes: ReadonlyMap<string, number>,
): string[] {
  const held = attribution.get(record.id);
  const shipped = rankSteps(trace);
  const inRecord = (step: number) => indexes.get(trace.steps[step]!.spanId) ?? -1;
  const top = held?.top ?? shipped?.top.map(({ step }) => inRecord(step)) ?? [];
  const agent = held === undefined ? shipped?.agent : held.agent;
  const { labels } = record;
  return [
    `Ranking (${held === undefined ? 'shipped weights, which have seen this run' : 'held out'}): agent ${agent}, steps ${top.join(', ')}`,
    ...(shipped?.top ?? []).map(
      ({ step, agent: speaker, why }) => `  shipped: ${inRecord(step)} ${speaker}: ${why.join('; ')}`,
    ),
    `Labelled: agent ${String(labels.mistake_agent)}, step ${String(labels.mistake_step)}`,
  ];
}

function goldOf({ labels }: LabelledRecord): { spanId: string; category: string; impact: string }[] {
  const errors = Array.isArray(labels.errors) ? labels.errors : [];
  return errors
    .filter((one): one is JsonObject => isJsonObject(one))
    .map(({ span_id, category, impact }) => ({
      spanId: String(span_id),
      category: String(category),
      impact: String(impact),
    }));
}

function nameOf(trace: Trace, step: number): string {
  const found = trace.steps[step];
  return found === undefined ? '(outside)' : `${found.name} of ${found.agent ?? 'nobody'}`;
}
