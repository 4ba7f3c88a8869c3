import { readFileSync } from 'node:fs';
import type { Json } from '../../src/core/json.ts';
import { nsToMs, type Rejection, type Span } from '../../src/core/span.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';
import type { FormatName } from '../../src/formats/detect/known-formats.ts';
import { EMPTY_CATALOG } from '../../src/formats/model-catalog/catalog.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';
import { compactTrace } from './compact-trace.ts';

export interface ReadRuns {
  format: FormatName;
  rejections: Rejection[];
  /** One line per span: ids, name, milliseconds from the first start, status. */
  spans: Json;
  /** `compactTrace` of every run, with the checkpoints of its states. */
  runs: Json;
}

/** The result of decoding a body, from bytes to runs, in a short form for review. */
export function readRuns(file: string | URL): ReadRuns {
  const { format, rejections, spans } = decodeAny(readFileSync(file), { receivedAtMs: 0 });
  const starts = spans.map((span) => span.startNs).filter((ns) => ns > 0n);
  const first = starts.reduce((least, ns) => (ns < least ? ns : least), starts[0] ?? 0n);
  return {
    format,
    rejections,
    spans: spans.map((span) => spanLine(span, first)),
    runs: [...Map.groupBy(spans, ({ traceId }) => traceId).values()].map(compactRun),
  };
}

function spanLine(span: Span, first: bigint): Json {
  const at = (ns: bigint | null) => (ns === null || ns === 0n ? String(ns) : `+${nsToMs(ns - first)}`);
  const { traceId, spanId, parentSpanId, name, startNs, endNs, status } = span;
  return [traceId, spanId, parentSpanId, name, at(startNs), at(endNs), status.code].join(' ');
}

function compactRun(spans: Span[]): Json {
  const trace = buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });
  return {
    ...(compactTrace(trace) as { [key: string]: Json }),
    checkpoints: trace.states.map((state) => state.checkpointId),
  };
}
