import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';

/** Ids of an execution. Execution ids count up from 1 on every server; workflow ids are random. */
export interface ExecutionKey {
  workflowId: string;
  executionId: string;
}

/** The same id for all sources of an execution. */
export function executionTraceId({ workflowId, executionId }: ExecutionKey): string {
  return derivedId(TRACE_ID_DIGITS, 'n8n', workflowId, executionId);
}

export function executionRootId({ workflowId, executionId }: ExecutionKey): string {
  return derivedId(SPAN_ID_DIGITS, 'n8n', workflowId, executionId);
}

export function nodeSpanId({ workflowId, executionId }: ExecutionKey, node: string, runIndex: number): string {
  return derivedId(SPAN_ID_DIGITS, 'n8n', workflowId, executionId, node, runIndex);
}

/** Spans from a webhook have separate ids, so that they never replace those of the API. */
export function noticeSpanId({ workflowId, executionId }: ExecutionKey, node: string | null): string {
  return derivedId(SPAN_ID_DIGITS, 'n8n-notice', workflowId, executionId, node ?? '');
}

type SpanParts = Pick<Span, 'spanId' | 'parentSpanId' | 'name' | 'startNs' | 'endNs'> &
  Partial<Pick<Span, 'status' | 'events' | 'links'>>;

/** @param attributes null values are omitted */
export function makeSpan(
  key: ExecutionKey,
  kind: StepKind,
  parts: SpanParts,
  attributes: Readonly<Record<string, Json>>,
): Span {
  return {
    traceId: executionTraceId(key),
    kind: 1,
    status: { code: 0, message: '' },
    events: [],
    links: [],
    resource: {},
    scope: { name: 'misstep.n8n', version: '1' },
    ...parts,
    attributes: withoutNulls({ [MISSTEP.stepKind]: kind, [MISSTEP.framework]: 'n8n', ...attributes }),
  };
}

/** Text as it is, null as an empty text, anything else as JSON text. */
export function textOf(value: Json | undefined): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
