import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded, Span } from '../../core/span.ts';
import { type RejectedOfTrace, withRejections } from '../misstep/rejected-records.ts';
import { readEventLog } from './event-log.ts';
import { nodeSpan, retrySpan } from './node-span.ts';
import {
  isEvent,
  isEventBatch,
  isKnownEvent,
  isLogPage,
  isRunSummary,
  objectIn,
  type RunEvent,
  readEvent,
  summaryOf,
  textIn,
} from './run-shape.ts';
import { difyTraceId, makeSpan, runSpanId } from './run-span.ts';
import { workflowSpan } from './workflow-span.ts';

/** Whether a value describes workflow runs of Dify: an event or a list of them, a finished run, or a page of its logs. */
export function isDify(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.filter(isEvent).length * 2 > value.length;
  return isEvent(value) || isEventBatch(value) || isLogPage(value) || isRunSummary(value);
}

/**
 * Runs of Dify's workflows and chat flows as spans: one trace each, with an id derived from the run id. With the events of
 * the stream (one, a list, or the text of the stream) all nodes are included; a summary gives only the run, because the
 * service API does not return nodes afterwards. Never throws.
 */
export function decodeDify(value: Json): Decoded {
  if (typeof value === 'string') return decodeEvents(readEventLog(value), '');
  if (Array.isArray(value)) return decodeEvents(value, '');
  if (isEventBatch(value)) return decodeEvents(value.events as Json[], '/events');
  if (isEvent(value)) return decodeEvents([value], null);
  if (isLogPage(value)) return decodeSummaries(value.data as Json[]);
  if (isRunSummary(value)) return { spans: [summarySpan(value)], rejections: [] };
  return { spans: [], rejections: [{ pointer: '', message: 'expected events or runs of Dify' }] };
}

/** @param pointer position of the list; null for a single event */
function decodeEvents(values: readonly Json[], pointer: string | null): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  const missing: MissingEvent[] = [];
  const runOfTask = new Map<string, string>();
  const askedModels = new Map<string, string>();
  for (const [at, value] of values.entries()) {
    if (!isEvent(value)) {
      decoded.rejections.push({ pointer: pointer === null ? '' : `${pointer}/${at}`, message: 'no event of Dify' });
      if (mayBeEvent(value)) missing.push({ value, spansBefore: decoded.spans.length });
      continue;
    }
    const event = readEvent(value, runOfTask);
    if (event === null) continue;
    if (event.taskId !== null) runOfTask.set(event.taskId, event.runId);
    if (event.name === 'workflow_started') recordModels(event.data, askedModels);
    const span = spanOf(event);
    if (span !== null) decoded.spans.push(withRequestedModel(span, askedModels));
  }
  const traceIds = new Set(decoded.spans.map(({ traceId }) => traceId));
  const rejected = missing.flatMap((event) => rejectedOf(event, traceIds, runOfTask));
  return { ...decoded, spans: mergeSpans(withRejections(decoded.spans, rejected)) };
}

/** A rejected event that may contain a part of a run. */
interface MissingEvent {
  value: Json;
  spansBefore: number;
}

/** False for an event with a name of its own, which a later version of Dify may have added beside the steps. */
function mayBeEvent(value: Json): boolean {
  return !isJsonObject(value) || typeof value.event !== 'string' || isKnownEvent(value.event);
}

/** The run that the event names; else the only run of the list. Empty if the list contains several. */
function rejectedOf(
  { value, spansBefore }: MissingEvent,
  traceIds: ReadonlySet<string>,
  runOfTask: ReadonlyMap<string, string>,
): RejectedOfTrace[] {
  const named = isJsonObject(value) ? readEvent(value, runOfTask)?.runId : undefined;
  if (named !== undefined) return [{ traceId: difyTraceId(named), spansBefore }];
  return traceIds.size === 1 ? [...traceIds].map((traceId) => ({ traceId, spansBefore })) : [];
}

/** Models in the node settings, if the start event of the run declares its graph. */
function recordModels(data: JsonObject, requested: Map<string, string>): void {
  const { nodes } = objectIn(data, 'graph');
  for (const node of Array.isArray(nodes) ? nodes.filter(isJsonObject) : []) {
    const model = textIn(objectIn(objectIn(node, 'data'), 'model'), 'name');
    if (model !== null && typeof node.id === 'string') requested.set(node.id, model);
  }
}

/** The end event of a node names the model that answered; only the settings contain the requested model. */
function withRequestedModel(span: Span, requested: ReadonlyMap<string, string>): Span {
  const nodeId = span.attributes['dify.node.id'];
  const answered = span.attributes['gen_ai.request.model'];
  const model = typeof nodeId === 'string' ? requested.get(nodeId) : undefined;
  if (model === undefined || answered === undefined || span.attributes['dify.retry_index'] !== undefined) return span;
  const names = { 'gen_ai.request.model': model, 'gen_ai.response.model': answered };
  return { ...span, attributes: { ...span.attributes, ...names } };
}

function spanOf(event: RunEvent): Span | null {
  const { name, runId, data, conversationId } = event;
  switch (name) {
    case 'workflow_started':
      return workflowSpan(runId, data, { sessionId: conversationId ?? systemConversation(data), isBeginning: true });
    case 'workflow_finished':
      return workflowSpan(runId, data, { sessionId: conversationId, isBeginning: false });
    case 'node_started':
    case 'node_finished':
    case 'iteration_started':
    case 'iteration_completed':
    case 'loop_started':
    case 'loop_completed':
      return nodeSpan(event);
    case 'node_retry':
      return retrySpan(event);
    case 'error':
      return errorSpan(event);
    default:
      return null;
  }
}

function systemConversation(data: JsonObject): string | null {
  return isJsonObject(data.inputs) ? textIn(data.inputs, 'sys.conversation_id') : null;
}

/** The stream ended with this error. It represents the failure because no end event of the run follows. */
function errorSpan({ runId, data }: RunEvent): Span {
  return makeSpan(
    runId,
    {
      spanId: runSpanId(runId, 'error'),
      parentSpanId: runSpanId(runId),
      kind: 'other',
      name: 'error',
      startNs: 0n,
      endNs: 0n,
      status: { code: 2, message: textIn(data, 'message') ?? PLACEHOLDER_ERROR.stream },
    },
    { 'error.type': textIn(data, 'code') },
  );
}

function decodeSummaries(values: readonly Json[]): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  for (const [at, value] of values.entries()) {
    if (isRunSummary(value)) decoded.spans.push(summarySpan(value));
    else decoded.rejections.push({ pointer: `/data/${at}`, message: 'no run of Dify' });
  }
  return decoded;
}

function summarySpan(value: JsonObject): Span {
  const summary = summaryOf(value)!;
  const user = isJsonObject(value.created_by_end_user) ? value.created_by_end_user : {};
  const sessionId = textIn(value, 'conversation_id') ?? textIn(user, 'session_id');
  const span = workflowSpan(summary.id as string, summary, { sessionId, isBeginning: false });
  // A reader must not conclude that the run had no nodes.
  return { ...span, attributes: { ...span.attributes, 'dify.detail': 'summary' } };
}
