import { writtenError } from '../../core/decoder-error.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { msToNs, type Span, type SpanStatus } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { numberIn, textIn, timeIn } from './run-shape.ts';

export function difyTraceId(runId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'dify', runId);
}

export function runSpanId(runId: string, ...parts: (string | number)[]): string {
  return derivedId(SPAN_ID_DIGITS, 'dify', runId, ...parts);
}

export interface SpanParts {
  spanId: string;
  parentSpanId: string | null;
  kind: StepKind;
  name: string;
  startNs: bigint;
  endNs: bigint | null;
  status?: SpanStatus;
}

/** @param attributes null values are omitted */
export function makeSpan(runId: string, parts: SpanParts, attributes: Record<string, Json>): Span {
  const { kind, status, ...rest } = parts;
  return {
    traceId: difyTraceId(runId),
    ...rest,
    kind: 1,
    status: status ?? { code: 0, message: '' },
    attributes: withoutNulls({ [MISSTEP.stepKind]: kind, [MISSTEP.framework]: 'dify', ...attributes }),
    events: [],
    links: [],
    resource: {},
    scope: { name: 'misstep.dify', version: '1' },
  };
}

/** Keeps the order of spans that began in the same second, Dify's resolution. */
const ORDER_NS = 1000n;
const MAX_ORDERED = 900_000;

/** The start in whole seconds and the exact duration; 0 and null if they are not reported. */
export function timesOf(data: JsonObject, hasEnded: boolean): { startNs: bigint; endNs: bigint | null } {
  const startMs = timeIn(data, 'created_at');
  const endMs = timeIn(data, 'finished_at');
  const elapsed = numberIn(data, 'elapsed_time');
  const order = ORDER_NS * BigInt(Math.min(Math.trunc(numberIn(data, 'index') ?? 0), MAX_ORDERED));
  const startNs = startMs === null ? 0n : msToNs(startMs) + order;
  if (!hasEnded) return { startNs, endNs: null };
  if (elapsed !== null && startMs !== null) return { startNs, endNs: startNs + msToNs(elapsed * 1000) };
  const endNs = endMs === null ? startNs : msToNs(endMs);
  return { startNs, endNs: endNs < startNs ? startNs : endNs };
}

/** A node whose failure its own branch handled ends as `exception`, but it failed. */
export function statusOf(data: JsonObject): SpanStatus {
  const status = textIn(data, 'status');
  const message = textIn(data, 'error');
  if (status === 'succeeded') return { code: 1, message: '' };
  const hasFailed = status === 'failed' || status === 'exception';
  return hasFailed ? { code: 2, message: message ?? writtenError('endedAs', status) } : { code: 0, message: '' };
}

export function textOf(value: Json | undefined): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
