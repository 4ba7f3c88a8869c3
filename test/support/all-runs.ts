import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Span } from '../../src/core/span.ts';
import { DEMO_RUNS, demoSpans } from '../../src/features/demo/demo-spans.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const NOW = Date.parse('2026-05-04T10:20:00Z');
/** Files next to the inputs with the expected output of a decoder. */
const EXPECTATION = /\.(?:expected|spans)\.json$/;

/** The spans of one run and a name that identifies their source. */
export type NamedRun = [name: string, spans: Span[]];

/** Every run of the fixtures and of the demo. */
export function allRuns(): NamedRun[] {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !EXPECTATION.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(FIXTURES.length + 1))
    .sort();
  const demo = demoSpans(NOW).map((spans, at): NamedRun => [`demo: ${DEMO_RUNS[at]!.name}`, spans]);
  return [...files.flatMap(runsOfFile), ...demo];
}

function runsOfFile(file: string): NamedRun[] {
  const { spans } = decodeAny(readFileSync(join(FIXTURES, file)), { receivedAtMs: NOW });
  const runs = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  return runs.map((run, at) => [runs.length === 1 ? file : `${file} #${at + 1}`, run]);
}
