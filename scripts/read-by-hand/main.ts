// Draws detections for a reader who judges text, step and fix without seeing the detectors:
//   node scripts/read-by-hand/main.ts --out FOLDER --seed S [--count N]
// N detections of warning or worse on failing runs of the run sets that nothing is fitted on, and N detections of info or
// worse on the recorded bodies in ../shared/clients/captures; warnings are drawn before info detections. One page each.
// FOLDER must be outside of this repository, because the pages quote the runs.
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { mergeSpans } from '../../src/core/merge-spans.ts';
import { isAtLeast, type Severity } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../src/formats/records/decode-record.ts';
import { runOutcomeOf } from '../evaluate/runs/analyze-runs.ts';
import { RUN_SOURCES } from '../evaluate/runs/run-sources.ts';
import { loadSet, unlabelled } from '../fit/load-set.ts';
import type { FoundDetection } from '../sessions/detection-page.ts';
import { filesBelow, spansIn } from '../sessions/recorded-files.ts';
import { writeDetectionPages } from '../sessions/write-detection-pages.ts';
import { sampleRoundRobin } from './sample-round-robin.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CAPTURES = resolve(ROOT, '../shared/clients/captures');
const DATA = resolve(ROOT, '../shared/datasets/dev');
const models = createModelCatalog();

const { values } = parseArgs({
  options: { out: { type: 'string' }, seed: { type: 'string' }, count: { type: 'string', default: '40' } },
});
const [seed, count] = [Number(values.seed), Number(values.count)];

if (values.out === undefined || values.seed === undefined) fail('--out FOLDER and --seed S are required');
else if (!relative(ROOT, resolve(values.out)).startsWith(`..${sep}`)) fail('--out must be outside of this repository');
else if (![seed, count].every((number) => Number.isSafeInteger(number) && number >= 0))
  fail('--seed and --count must be whole numbers');
else writePages(values.out);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

function writePages(out: string): void {
  const runs = detectionsOnFailingRuns();
  const bodies = detectionsOnBodies();
  const drawn = [...sampleRoundRobin(runs, groupOf, count, seed), ...drawFromBodies(bodies)];
  const summary = `${drawn.length} detections drawn with seed ${seed}: from ${runs.length} on failing runs and ${bodies.length} on recorded bodies.`;
  console.log(`${summary} ${writeDetectionPages(out, drawn, summary)}`);
}

/** Warnings first, then info detections up to the count. */
function drawFromBodies(bodies: readonly FoundDetection[]): FoundDetection[] {
  const severe = sampleRoundRobin(
    bodies.filter(({ detection }) => isAtLeast(detection.severity, 'warning')),
    groupOf,
    count,
    seed,
  );
  const info = bodies.filter(({ detection }) => detection.severity === 'info');
  return [...severe, ...sampleRoundRobin(info, groupOf, count - severe.length, seed)];
}

/** Detections are drawn by turns from the groups, so that one frequent subtype of one source does not fill the draw. */
function groupOf({ file, detection }: FoundDetection): string {
  return `${file.split('/').slice(0, -1).join('/')} ${detection.type}/${detection.subtype}`;
}

function detectionsOnFailingRuns(): FoundDetection[] {
  return RUN_SOURCES.filter(({ seen }) => seen === 'read').flatMap(({ set }) =>
    loadSet(set, DATA)
      .filter((record) => runOutcomeOf(record) === 'failing')
      .flatMap((record) => detectionsOf(`${set}/${record.id}`, decodeRecord(unlabelled(record)).spans, 'warning')),
  );
}

/** Bodies of one trace may lie in several files. */
function detectionsOnBodies(): FoundDetection[] {
  const traces = new Map<string, { file: string; spans: Span[] }>();
  for (const path of filesBelow(CAPTURES)) {
    for (const span of spansIn(path) ?? []) {
      const trace = traces.get(span.traceId) ?? { file: relative(CAPTURES, path), spans: [] };
      traces.set(span.traceId, trace);
      trace.spans.push(span);
    }
  }
  return [...traces.values()].flatMap(({ file, spans }) => detectionsOf(file, mergeSpans(spans), 'info'));
}

function detectionsOf(file: string, spans: readonly Span[], least: Severity): FoundDetection[] {
  const { trace, result } = analyzeSpans([...spans], { isSettled: true, models, tenant: DEFAULT_DETECTION });
  return result.detections
    .filter(({ severity }) => isAtLeast(severity, least))
    .map((detection) => ({ file, trace, detection }));
}
