import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { DetectionType } from '../../src/core/detection.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
import type { StepKind, Trace } from '../../src/core/trace.ts';
import { analyzeSpans } from '../../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../../src/features/analysis/tenant-detection.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';

const RECEIVED_MS = Date.UTC(2026, 5, 1);
const models = createModelCatalog();

export interface GaugeWarning {
  type: DetectionType;
  agent: string | null;
  /** `type/subtype`, with the prefix `critical` if it is critical. */
  label: string;
}

export interface GaugeFailure {
  fault: string;
  agent: string | null;
  step: string;
  /** Detection types that report this failure. */
  expect: DetectionType[];
}

export interface GaugeRun {
  run: string;
  failure: GaugeFailure | null;
  /** Steps of all its traces: a session has one trace for each turn. */
  steps: number;
  rejected: string[];
  crashed: string[];
  warnings: GaugeWarning[];
}

export interface GaugeProgram {
  framework: string;
  name: string;
  pattern: string;
  runs: GaugeRun[];
}

type RecordedBody = { json: unknown } | { base64: string };
type RecordedRun = { run: string; bodies: RecordedBody[] } & Partial<GaugeFailure>;

/**
 * What the program records: everything; no spans of tool calls; or only model calls, each of which is a trace of its own.
 * Of these, one from the middle of the run and the last one are analyzed.
 */
export type Recorded = 'everything' | 'no_tool_spans' | 'separate_model_calls';

/** Decodes and analyzes every recorded run of `test/gauge` with default settings. */
export function readGauge(folder: URL, recorded: Recorded = 'everything'): GaugeProgram[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.br'));
  return files.sort().map((file) => {
    const lines = brotliDecompressSync(readFileSync(new URL(file, folder)))
      .toString('utf8')
      .trim()
      .split('\n');
    const [head, ...runs] = lines.map((line) => JSON.parse(line)) as [Omit<GaugeProgram, 'runs'>, ...RecordedRun[]];
    return { ...head, runs: runs.map((run) => readRun(run, recorded)) };
  });
}

function readRun(
  { run, bodies, fault, agent = null, step = '', expect = [] }: RecordedRun,
  recorded: Recorded,
): GaugeRun {
  const decoded = bodies.map((body) => {
    const bytes = 'json' in body ? Buffer.from(JSON.stringify(body.json)) : Buffer.from(body.base64, 'base64');
    return decodeAny(bytes, { receivedAtMs: RECEIVED_MS });
  });
  const traces = [
    ...Map.groupBy(
      decoded.flatMap(({ spans }) => spans),
      ({ traceId }) => traceId,
    ).values(),
  ];
  const analyses = traces.flatMap((spans) => {
    const whole = analyze(spans);
    return recorded === 'everything' ? [whole] : withLessRecorded(spans, whole.trace, recorded).map(analyze);
  });
  const found = analyses
    .flatMap(({ result }) => result.detections)
    .filter(({ severity }) => isAtLeast(severity, 'warning'));
  return {
    run,
    failure: fault === undefined ? null : { fault, agent, step, expect },
    steps: analyses.reduce((sum, { trace }) => sum + trace.steps.length, 0),
    rejected: decoded.flatMap(({ rejections }) => rejections.map(({ pointer }) => pointer)),
    crashed: analyses.flatMap(({ result }) => result.crashed.map(String)),
    warnings: found.map((one) => ({
      type: one.type,
      agent: one.agent,
      label: `${one.severity === 'critical' ? 'critical ' : ''}${one.type}/${one.subtype}`,
    })),
  };
}

/** The traces of a program that records less. */
function withLessRecorded(spans: readonly Span[], { steps }: Trace, recorded: Recorded): Span[][] {
  const ofKind = (wanted: StepKind) => new Set(steps.flatMap(({ kind, spanId }) => (kind === wanted ? spanId : [])));
  if (recorded === 'separate_model_calls') {
    const modelCalls = [...ofKind('llm')];
    const examined = new Set([modelCalls[modelCalls.length >> 1], modelCalls.at(-1)]);
    return spans.filter(({ spanId }) => examined.has(spanId)).map((span) => [{ ...span, parentSpanId: null }]);
  }
  const tools = ofKind('tool');
  const others = spans.filter(({ spanId }) => !tools.has(spanId));
  return others.length === 0 ? [] : [others];
}

function analyze(spans: readonly Span[]) {
  return analyzeSpans([...spans], { isSettled: true, models, tenant: DEFAULT_DETECTION });
}
