import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Attributes, type Decoded, msToNs, type Refusal, type Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** Kind of step by type of observation. Source: langfuse.com/docs, data model and public API. */
const KINDS: Readonly<Record<string, string>> = {
  SPAN: 'chain',
  EVENT: 'other',
  GENERATION: 'llm',
  AGENT: 'agent',
  TOOL: 'tool',
  CHAIN: 'chain',
  RETRIEVER: 'retrieval',
  EVALUATOR: 'other',
  EMBEDDING: 'embedding',
  GUARDRAIL: 'guardrail',
};

const SCOPE = { name: 'langfuse', version: '' };
const MAX_ID = 128;

/** Whether a value looks like a trace or an observation of Langfuse's public API or of its exports. */
export function isLangfuse(value: Json | undefined): value is JsonObject {
  return isTrace(value) || isObservation(value);
}

function isTrace(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.timestamp !== 'string') return false;
  return Array.isArray(value.observations) || 'htmlPath' in value || ('sessionId' in value && 'projectId' in value);
}

function isObservation(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.traceId !== 'string') return false;
  return typeof value.type === 'string' && value.type.toUpperCase() in KINDS && typeof value.startTime === 'string';
}

/** A trace with its observations as spans under a root, or one observation. One that cannot be read costs only itself. */
export function decodeLangfuse(value: Json): Decoded {
  if (isTrace(value)) return decodeTrace(value);
  const span = readObservation(value, null);
  return 'message' in span ? { spans: [], refusals: [{ pointer: '', ...span }] } : { spans: [span], refusals: [] };
}

function decodeTrace(trace: JsonObject): Decoded {
  const traceId = trace.id as string;
  const startNs = readTimestampNs(trace.timestamp as string);
  if (traceId === '' || traceId.length > MAX_ID || startNs === null)
    return { spans: [], refusals: [{ pointer: '', message: 'a trace needs an id and a timestamp' }] };
  const rootId = derivedId(SPAN_ID_DIGITS, 'langfuse', traceId);
  const decoded: Decoded = { spans: [], refusals: [] };
  // A list of traces names its observations by their ids only.
  for (const [at, observation] of listOf(trace.observations).entries()) {
    if (typeof observation === 'string') continue;
    const withTrace = isJsonObject(observation) ? { traceId, ...observation } : observation;
    const span = readObservation(withTrace, rootId);
    if ('message' in span) decoded.refusals.push({ pointer: `/observations/${at}`, ...span });
    else decoded.spans.push(span);
  }
  const latest = decoded.spans.reduce((end, span) => later(end, span.endNs ?? span.startNs), startNs);
  const latencyNs = typeof trace.latency === 'number' && trace.latency >= 0 ? msToNs(trace.latency * 1000) : 0n;
  decoded.spans.unshift({
    ...emptySpan(traceId, rootId),
    name: textOf(trace.name) ?? 'trace',
    startNs,
    endNs: later(latest, startNs + latencyNs),
    attributes: present({
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.sessionId]: textOf(trace.sessionId),
      'input.value': asText(trace.input),
      'output.value': asText(trace.output),
    }),
  });
  return decoded;
}

function readObservation(value: Json, rootId: string | null): Span | Pick<Refusal, 'message'> {
  if (!isObservation(value)) return { message: 'expected an observation with id, traceId, type and startTime' };
  const startNs = readTimestampNs(value.startTime as string);
  const endNs = readTimestampNs(textOf(value.endTime) ?? '');
  const [spanId, traceId] = [value.id as string, value.traceId as string];
  if (startNs === null) return { message: 'startTime must be an RFC 3339 time' };
  if (!isId(spanId) || !isId(traceId)) return { message: 'ids must be texts of 1 to 128 characters' };
  const hasFailed = value.level === 'ERROR';
  return {
    ...emptySpan(traceId, spanId),
    parentSpanId: textOf(value.parentObservationId) ?? rootId,
    name: textOf(value.name) ?? (value.type as string).toLowerCase(),
    startNs,
    // An event is a moment; what else has no end was over when it was exported.
    endNs: endNs === null || endNs < startNs ? startNs : endNs,
    status: { code: hasFailed ? 2 : 0, message: hasFailed ? (textOf(value.statusMessage) ?? '') : '' },
    attributes: observationAttributes(value, KINDS[(value.type as string).toUpperCase()] as string),
  };
}

function observationAttributes(value: JsonObject, kind: string): Attributes {
  const name = textOf(value.name);
  const [input, output] = [asText(value.input), asText(value.output)];
  if (kind === 'tool')
    return present({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.arguments': input,
      'gen_ai.tool.call.result': output,
    });
  const contents = { 'gen_ai.prompt': input, 'gen_ai.completion': output };
  if (kind === 'llm') return present({ 'gen_ai.operation.name': 'chat', ...contents, ...modelAttributes(value) });
  return present({
    [MISSTEP.stepKind]: kind,
    'gen_ai.agent.name': kind === 'agent' ? name : null,
    'input.value': input,
    'output.value': output,
  });
}

/** Newer exports count under `usageDetails` and `costDetails`, older under `usage` and in columns. */
function modelAttributes(value: JsonObject): Record<string, Json> {
  const usage = [value.usageDetails, value.usage].find(isJsonObject) ?? {};
  const cost = isJsonObject(value.costDetails) ? value.costDetails.total : value.calculatedTotalCost;
  return {
    'gen_ai.request.model': textOf(value.model),
    'gen_ai.usage.input_tokens': countOf(usage.input ?? usage.promptTokens ?? value.promptTokens),
    'gen_ai.usage.output_tokens': countOf(usage.output ?? usage.completionTokens ?? value.completionTokens),
    'gen_ai.usage.cost': typeof cost === 'number' && cost > 0 ? cost : null,
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

function present(attributes: Record<string, Json>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}
