import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Attributes, type Decoded, msToNs, type Rejection, type Span } from '../../core/span.ts';
import { LANGFUSE_KINDS } from '../conventions/langfuse.ts';
import { readLangfuseCost, readLangfuseUsage } from '../conventions/langfuse-usage.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { type ObservationMetadata, readMetadata } from './observation-metadata.ts';

const SCOPE = { name: 'langfuse', version: '' };
const MAX_ID = 128;

/** Whether a value looks like a trace or an observation of Langfuse's public API or of its exports. */
export function isLangfuse(value: Json | undefined): value is JsonObject {
  return isTrace(value) || isObservation(value) || isExport(value);
}

/** An export of the UI: the trace, with its observations next to it. */
function isExport(value: Json | undefined): value is JsonObject & { trace: JsonObject; observations: Json[] } {
  if (!isJsonObject(value) || !isJsonObject(value.trace) || !Array.isArray(value.observations)) return false;
  return typeof value.trace.id === 'string' && typeof value.trace.timestamp === 'string';
}

function isTrace(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.timestamp !== 'string') return false;
  return Array.isArray(value.observations) || 'htmlPath' in value || ('sessionId' in value && 'projectId' in value);
}

function isObservation(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.traceId !== 'string') return false;
  return (
    typeof value.type === 'string' &&
    Object.hasOwn(LANGFUSE_KINDS, value.type.toLowerCase()) &&
    typeof value.startTime === 'string'
  );
}

/** A trace with its observations as spans under a root, or one observation. An unreadable one only affects itself. */
export function decodeLangfuse(value: Json): Decoded {
  if (isExport(value)) return decodeTrace({ ...value.trace, observations: value.observations });
  if (isTrace(value)) return decodeTrace(value);
  const span = readObservation(value, null);
  return 'message' in span ? { spans: [], rejections: [{ pointer: '', ...span }] } : { spans: [span], rejections: [] };
}

function decodeTrace(trace: JsonObject): Decoded {
  const traceId = trace.id as string;
  const startNs = readTimestampNs(trace.timestamp as string);
  if (traceId === '' || traceId.length > MAX_ID || startNs === null)
    return { spans: [], rejections: [{ pointer: '', message: 'a trace needs an id and a timestamp' }] };
  const rootId = derivedId(SPAN_ID_DIGITS, 'langfuse', traceId);
  const decoded: Decoded = { spans: [], rejections: [] };
  // A list of traces only contains the ids of its observations.
  for (const [at, observation] of listOf(trace.observations).entries()) {
    if (typeof observation === 'string') continue;
    const withTrace = isJsonObject(observation) ? { traceId, ...observation } : observation;
    const span = readObservation(withTrace, rootId);
    if ('message' in span) decoded.rejections.push({ pointer: `/observations/${at}`, ...span });
    else decoded.spans.push(span);
  }
  const latest = decoded.spans.reduce((end, span) => later(end, span.endNs ?? span.startNs), startNs);
  const latencyNs = typeof trace.latency === 'number' && trace.latency >= 0 ? msToNs(trace.latency * 1000) : 0n;
  const { scope, resource, framework } = readMetadata(trace.metadata);
  decoded.spans.unshift({
    ...emptySpan(traceId, rootId),
    scope: scope ?? SCOPE,
    resource,
    name: textOf(trace.name) ?? 'trace',
    startNs,
    endNs: later(latest, startNs + latencyNs),
    attributes: withoutNulls({
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: framework,
      [MISSTEP.sessionId]: textOf(trace.sessionId),
      'input.value': asText(trace.input),
      'output.value': asText(trace.output),
    }),
  });
  return decoded;
}

function readObservation(value: Json, rootId: string | null): Span | Pick<Rejection, 'message'> {
  if (!isObservation(value)) return { message: 'expected an observation with id, traceId, type and startTime' };
  const startNs = readTimestampNs(value.startTime as string);
  const endNs = readTimestampNs(textOf(value.endTime) ?? '');
  const [spanId, traceId] = [value.id as string, value.traceId as string];
  if (startNs === null) return { message: 'startTime must be an RFC 3339 time' };
  if (!isId(spanId) || !isId(traceId)) return { message: 'ids must be texts of 1 to 128 characters' };
  const hasFailed = value.level === 'ERROR';
  const metadata = readMetadata(value.metadata);
  return {
    ...emptySpan(traceId, spanId),
    scope: metadata.scope ?? SCOPE,
    resource: metadata.resource,
    parentSpanId: textOf(value.parentObservationId) ?? rootId,
    name: textOf(value.name) ?? (value.type as string).toLowerCase(),
    startNs,
    // An event is an instant; any other observation without an end was finished when it was exported.
    endNs: endNs === null || endNs < startNs ? startNs : endNs,
    status: { code: hasFailed ? 2 : 0, message: hasFailed ? (textOf(value.statusMessage) ?? '') : '' },
    attributes: observationAttributes(value, kindOf(value.type as string, metadata), metadata),
  };
}

/** An explicit observation type is used; `SPAN` is Langfuse's default for all others. */
function kindOf(type: string, { kind }: ObservationMetadata): string {
  const shown = LANGFUSE_KINDS[type.toLowerCase()] as string;
  return type.toUpperCase() === 'SPAN' ? (kind ?? shown) : shown;
}

function observationAttributes(value: JsonObject, kind: string, metadata: ObservationMetadata): Attributes {
  const name = textOf(value.name);
  const framework = { [MISSTEP.framework]: metadata.framework };
  const [input, output] = [asText(value.input), asText(value.output)];
  if (kind === 'tool')
    return withoutNulls({
      ...framework,
      [MISSTEP.stepKind]: kind,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': metadata.toolName ?? name,
      'gen_ai.tool.call.arguments': input,
      'gen_ai.tool.call.result': output,
    });
  const contents = { 'gen_ai.prompt': input, 'gen_ai.completion': output };
  if (kind === 'llm')
    return withoutNulls({
      ...framework,
      [MISSTEP.stepKind]: kind,
      'gen_ai.operation.name': 'chat',
      ...contents,
      ...modelAttributes(value),
    });
  return withoutNulls({
    ...framework,
    [MISSTEP.stepKind]: kind,
    'gen_ai.agent.name': kind === 'agent' ? name : null,
    'input.value': input,
    'output.value': output,
  });
}

/** Newer exports have `usageDetails` and `costDetails`, older ones `usage` and columns. */
function modelAttributes(value: JsonObject): Record<string, Json> {
  const usage = readLangfuseUsage([value.usageDetails, value.usage].find(isJsonObject));
  const cost = readLangfuseCost(value.costDetails ?? { total: value.calculatedTotalCost ?? null });
  return {
    'gen_ai.request.model': textOf(value.model),
    'gen_ai.usage.input_tokens': usage.input ?? countOf(value.promptTokens),
    'gen_ai.usage.output_tokens': usage.output ?? countOf(value.completionTokens),
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead ?? null,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite ?? null,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning ?? null,
    'gen_ai.usage.cost': cost ?? null,
  };
}

function emptySpan(traceId: string, spanId: string): Span {
  return {
    traceId,
    spanId,
    parentSpanId: null,
    name: '',
    kind: 1,
    startNs: 0n,
    endNs: null,
    status: { code: 0, message: '' },
    attributes: {},
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
  };
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function isId(id: string): boolean {
  return id.length > 0 && id.length <= MAX_ID;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function countOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function asText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
