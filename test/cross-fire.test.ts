import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Detection } from '../src/core/detection.ts';
import type { Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { DEMO_RUNS, demoSpans } from '../src/features/demo/demo-spans.ts';
import { decodeAny } from '../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const NOW = Date.parse('2026-05-04T10:20:00Z');
/** Written beside the inputs: what a decoder is expected to make of them. */
const EXPECTATION = /\.(?:expected|spans)\.json$/;

const models = createModelCatalog();

/** Runs of every fixture and of the demo, by a name that a reader of the table finds again. */
function allRuns(): [name: string, spans: Span[]][] {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !EXPECTATION.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(FIXTURES.length + 1))
    .sort();
  const demo = demoSpans(NOW).map((spans, at): [string, Span[]] => [`demo: ${DEMO_RUNS[at]!.name}`, spans]);
  return [...files.flatMap(runsOfFile), ...demo];
}

function runsOfFile(file: string): [string, Span[]][] {
  const { spans } = decodeAny(readFileSync(join(FIXTURES, file)), { receivedAtMs: NOW });
  const runs = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  return runs.map((run, at) => [runs.length === 1 ? file : `${file} #${at + 1}`, run]);
}

function detectionsOf(spans: Span[]): Detection[] {
  const { result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  expect(result.crashed).toEqual([]);
  return result.detections;
}

function lineOf({ type, subtype, severity, agent, step }: Detection): string {
  return `  ${type}/${subtype} ${severity} ${agent ?? '-'} ${step ?? '-'}`;
}

test('every detector over every fixture and demo run', async () => {
  const table = allRuns().map(([name, spans]) => {
    const found = detectionsOf(spans);
    return [name, ...(found.length === 0 ? ['  clean'] : found.map(lineOf))].join('\n');
  });
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('golden/cross-fire.txt');
});
