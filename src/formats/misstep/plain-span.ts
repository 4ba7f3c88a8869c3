import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseLooseTime } from '../../core/rfc3339.ts';
import { type Attributes, msToNs, type Span, type SpanStatus } from '../../core/span.ts';
import { jsonOrText } from '../conventions/attribute-values.ts';
import { looksLikeMessages } from '../conventions/messages.ts';
import { MISSTEP } from './attributes.ts';

/** Whether a value looks like a span that was written by hand or exported from a table. */
export function isPlainSpan(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && idOf(value, SPAN_ID) !== null && ('name' in value || 'span_name' in value);
}

const TRACE_ID = ['trace_id', 'traceId', 'traceID'];
const SPAN_ID = ['span_id', 'spanId', 'spanID', 'id'];
const PARENT_ID = ['parent_span_id', 'parentSpanId', 'parent_id', 'parentId'];
const START = ['start_time', 'startTime', 'start_ms', 'start', 'started_at', 'timestamp'];
const END = ['end_time', 'endTime', 'end_ms', 'end', 'ended_at'];

/**
 * A span of plain keys: ids, `name`, a start and an end (or `duration_ms`), `status`, `error`, `kind`, `attributes`, and
 * `agent`, `model`, `input`, `output`. Times are RFC 3339 or Unix seconds, milliseconds, microseconds or nanoseconds,
 * distinguished by size. A rejection contains the reason.
 * @param traceId used if the span names none
 */
export function decodePlainSpan(value: Json, traceId: string | null): Span | { rejection: string } {
  if (!isJsonObject(value)) return { rejection: 'expected an object' };
  const spanId = idOf(value, SPAN_ID);
  const ownTraceId = idOf(value, TRACE_ID) ?? traceId;
  if (spanId === null || ownTraceId === null) return { rejection: 'a trace id and a span id are needed' };
  const startNs = timeNs(first(value, START)) ?? 0n;
  return {
    traceId: ownTraceId,
    spanId,
    parentSpanId: idOf(value, PARENT_ID),
    name: textOf(value.name ?? value.span_name) ?? '',
    kind: 1,
    startNs,
    endNs: endOf(value, startNs),
    status: statusOf(value),
    attributes: { ...attributesOf(value), ...(isJsonObject(value.attributes) ? value.attributes : {}) },
    events: [],
    links: [],
    resource: isJsonObject(value.resource) ? value.resource : {},
    scope: { name: 'misstep.plain', version: '1' },
  };
}

/** A span without any time counts as ended, because hand-written spans describe the past. */
function endOf(value: JsonObject, startNs: bigint): bigint | null {
  const end = timeNs(first(value, END));
  if (end !== null) return end < startNs ? startNs : end;
  const durationMs = value.duration_ms ?? value.durationMs;
  if (typeof durationMs === 'number' && durationMs >= 0 && durationMs < 1e15) return startNs + msToNs(durationMs);
  return startNs === 0n ? 0n : null;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  agent: 'agent',
  chain: 'chain',
  retriever: 'retrieval',
  retrieval: 'retrieval',
};
const OPERATIONS: Readonly<Record<string, string>> = {
  llm: 'chat',
  chat: 'chat',
  generation: 'chat',
  tool: 'execute_tool',
};

function attributesOf(value: JsonObject): Attributes {
  const kind = (textOf(value.kind ?? value.type) ?? '').toLowerCase();
  const isTool = kind === 'tool';
  const isModelCall = OPERATIONS[kind] === 'chat';
  const attributes: Record<string, Json | null> = {
    [MISSTEP.stepKind]: KIND_WORDS[kind] ?? null,
    'gen_ai.operation.name': OPERATIONS[kind] ?? null,
    'gen_ai.agent.name': textOf(value.agent ?? value.agent_name),
    'gen_ai.request.model': textOf(value.model),
    'gen_ai.tool.name': isTool ? textOf(value.tool ?? value.tool_name ?? value.name) : null,
    [isTool ? 'gen_ai.tool.call.arguments' : contentKey('input', value.input, isModelCall)]: asText(value.input),
    [isTool ? 'gen_ai.tool.call.result' : contentKey('output', value.output, isModelCall)]: asText(value.output),
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, given]) => given !== null));
}

/** Messages of a model call keep their calls and roles. */
function contentKey(side: 'input' | 'output', value: Json | undefined, isModelCall: boolean): string {
  const content = typeof value === 'string' ? jsonOrText(value) : value;
  return isModelCall && looksLikeMessages(content) ? `gen_ai.${side}.messages` : `${side}.value`;
}

function statusOf(value: JsonObject): SpanStatus {
  const given = isJsonObject(value.status) ? value.status.code : (value.status ?? value.status_code);
  const message = asText(value.error) ?? asText(isJsonObject(value.status) ? value.status.message : undefined);
  const word = String(given ?? '').toLowerCase();
  if (value.error != null || given === 2 || /^(status_code_)?(error|failed|failure)$/.test(word))
    return { code: 2, message: message ?? '' };
  return { code: given === 1 || /^(status_code_)?(ok|success)$/.test(word) ? 1 : 0, message: '' };
}

function timeNs(value: Json | undefined): bigint | null {
  if (typeof value === 'string' && /^\d{1,19}$/.test(value)) return scaleToNs(BigInt(value), Number(value));
  if (typeof value === 'number' && value > 0 && value < 9e18)
    return value < 1e14 ? msToNs(value < 1e11 ? value * 1000 : value) : scaleToNs(BigInt(Math.trunc(value)), value);
  const ms = typeof value === 'string' ? parseLooseTime(value) : null;
  return ms !== null && ms >= 0 ? msToNs(ms) : null;
}

/** Seconds until the year 5138; then milliseconds, microseconds and nanoseconds of times after 1973. */
function scaleToNs(exact: bigint, size: number): bigint {
  if (size < 1e11) return exact * 1_000_000_000n;
  if (size < 1e14) return exact * 1_000_000n;
  return size < 1e17 ? exact * 1000n : exact;
}

function first(value: JsonObject, keys: readonly string[]): Json | undefined {
  const key = keys.find((known) => value[known] != null);
  return key === undefined ? undefined : value[key];
}

function idOf(value: JsonObject, keys: readonly string[]): string | null {
  const id = first(value, keys);
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && text.length > 0 && text.length <= 128 ? text : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function asText(value: Json | undefined): string | null {
  if (value == null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
