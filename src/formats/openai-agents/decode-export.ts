import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes, Decoded, Span, SpanStatus } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { readSpanData } from './span-data.ts';

const SCOPE = { name: 'openai-agents', version: '' };
const NO_ERROR: SpanStatus = { code: 0, message: '' };

/** Whether a value looks like what the OpenAI Agents SDK posts to its tracing endpoint, or one record of it. */
export function isAgentsExport(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return Array.isArray(value.data) ? value.data.some(isRecord) : isRecord(value);
}

function isRecord(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && (value.object === 'trace' || value.object === 'trace.span');
}

/**
 * A batch of the OpenAI Agents SDK's trace exporter: `{data: [{object: "trace" | "trace.span", …}]}`, or one record. A
 * trace becomes a root span above the SDK's own roots. It often arrives in a separate batch, so the start and end of the
 * root are separate parts.
 */
export function decodeAgentsExport(value: Json): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  const isBatch = isJsonObject(value) && Array.isArray(value.data);
  const records = isBatch ? (value.data as Json[]) : [value];
  records.forEach((record, at) => {
    const read = isRecord(record) ? readRecord(record) : 'object must be "trace" or "trace.span"';
    if (typeof read === 'string') decoded.rejections.push({ pointer: isBatch ? `/data/${at}` : '', message: read });
    else decoded.spans.push(...read);
  });
  return decoded;
}

function readRecord(record: JsonObject): Span[] | string {
  const span = record.object === 'trace' ? traceSpan(record) : spanOf(record);
  if (typeof span === 'string') return span;
  const isLast = record.object !== 'trace' && idOf(record.parent_id) === null && span.endNs !== null;
  return isLast ? [span, endOfTrace(span)] : [span];
}

/** The record of a trace is sent at its start and contains no end: the end of the SDK's own root is used. */
function endOfTrace({ traceId, endNs }: Span): Span {
  return { ...span(traceId, rootId(traceId), null, 'workflow'), endNs, attributes: ROOT_ATTRIBUTES };
}

const ROOT_ATTRIBUTES: Attributes = { [MISSTEP.stepKind]: 'chain', [MISSTEP.framework]: 'openai-agents' };

function traceSpan(record: JsonObject): Span | string {
  const traceId = idOf(record.id);
  if (traceId === null) return 'id must be a text of 1 to 128 characters';
  return {
    ...span(traceId, rootId(traceId), null, textOf(record.workflow_name) ?? 'workflow'),
    attributes: withoutNulls({
      ...ROOT_ATTRIBUTES,
      'gen_ai.workflow.name': textOf(record.workflow_name),
      'gen_ai.conversation.id': textOf(record.group_id ?? record.groupId),
      metadata: isJsonObject(record.metadata) ? JSON.stringify(record.metadata) : null,
    }),
  };
}

function spanOf(record: JsonObject): Span | string {
  const traceId = idOf(record.trace_id);
  const spanId = idOf(record.id);
  if (traceId === null || spanId === null) return 'id and trace_id must be texts of 1 to 128 characters';
  if (!isJsonObject(record.span_data)) return 'span_data must be an object';
  const startNs = readTimestampNs(textOf(record.started_at) ?? '');
  if (startNs === null) return 'started_at must be an RFC 3339 time';
  const endNs = readTimestampNs(textOf(record.ended_at) ?? '');
  const { name, attributes } = readSpanData(record.span_data);
  return {
    ...span(traceId, spanId, idOf(record.parent_id) ?? rootId(traceId), name),
    startNs,
    endNs: endNs !== null && endNs < startNs ? startNs : endNs,
    status: statusOf(record.error),
    attributes: withoutNulls({
      ...attributes,
      'gen_ai.response.finish_reasons': attributes['gen_ai.response.finish_reasons'] ?? reasonsIn(record.error),
      [MISSTEP.framework]: 'openai-agents',
      'error.type': errorTypeOf(record.error),
    }),
  };
}

function span(traceId: string, spanId: string, parentSpanId: string | null, name: string): Span {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: 1,
    startNs: 0n,
    endNs: null,
    status: NO_ERROR,
    attributes: {},
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
  };
}

/** `{message, data}`; a tool's exception is in `data.error`, next to other details. */
function statusOf(error: Json | undefined): SpanStatus {
  if (error === null || error === undefined) return NO_ERROR;
  if (!isJsonObject(error)) return { code: 2, message: textOf(error) ?? '' };
  return { code: 2, message: [textOf(error.message), detailOf(error)].filter((text) => text !== null).join(': ') };
}

function detailOf({ data }: JsonObject): string | null {
  if (!isJsonObject(data) || Object.keys(data).length === 0) return null;
  return textOf(data.error) ?? JSON.stringify(data);
}

/** A response that ended before it was complete is an error of its span. The SDK does not record whether a limit or a filter ended it. */
function reasonsIn(error: Json | undefined): string[] | null {
  return isJsonObject(error) && textOf(error.message)?.includes('"response.incomplete"') ? ['incomplete'] : null;
}

const ERROR_CLASS = /^[A-Za-z_][\w.]{0,120}(?:Error|Exception)(?=:)/;

/** The class of a tool's exception, if its message begins with it. */
function errorTypeOf(error: Json | undefined): string | null {
  return isJsonObject(error) ? (ERROR_CLASS.exec(detailOf(error) ?? '')?.[0] ?? null) : null;
}

function rootId(traceId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'openai-agents', traceId);
}

function idOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
