import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { DetectionType } from '../../src/core/detection.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import type { Span } from '../../src/core/span.ts';
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

export interface GaugeOptions {
  /** Removes the spans of tool calls: many programs record only their model calls. */
  withoutToolSpans?: boolean;
}

/** Decodes and analyzes every recorded run of `test/gauge` with default settings. */
export function readGauge(folder: URL, options: GaugeOptions = {}): GaugeProgram[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.br'));
  return files.sort().map((file) => {
    const lines = brotliDecompressSync(readFileSync(new URL(file, folder)))
      .toString('utf8')
      .trim()
      .split('\n');
    const [head, ...runs] = lines.map((line) => JSON.parse(line)) as [Omit<GaugeProgram, 'runs'>, ...RecordedRun[]];
    return { ...head, runs: runs.map((run) => readRun(run, options)) };
  });
}

function readRun(
  { run, bodies, fault, agent = null, step = '', expect = [] }: RecordedRun,
  { withoutToolSpans = false }: GaugeOptions,
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
    if (!withoutToolSpans) return [whole];
    const tools = new Set(whole.trace.steps.flatMap(({ kind, spanId }) => (kind === 'tool' ? spanId : [])));
    const others = spans.filter(({ spanId }) => !tools.has(spanId));
    return others.length === 0 ? [] : [analyze(others)];
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

function analyze(spans: readonly Span[]) {
  return analyzeSpans([...spans], { isSettled: true, models, tenant: DEFAULT_DETECTION });
}
