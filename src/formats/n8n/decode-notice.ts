import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Decoded, msToNs, type Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { type ExecutionKey, makeSpan, noticeSpanId, textOf } from './execution-span.ts';
import { idOf, objectOr, textOrNull, timeOf } from './json-fields.ts';
import { modelAnswer } from './model-call.ts';
import { type NodeError, nodeOfError, readNodeError } from './node-error.ts';
import { kindOfType } from './node-kind.ts';
import { SOURCE } from './otel-step.ts';

/**
 * The output of an Error Trigger: `{execution: {id, error, mode}, workflow}`, for a broken trigger `{trigger: {error},
 * workflow}`.
 */
export function isErrorNotice(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value.workflow)) return false;
  return isJsonObject(objectOr(value.execution).error) || isJsonObject(objectOr(value.trigger).error);
}

/**
 * The report of a final HTTP Request node that our guide describes: `{executionId, workflowId, workflowName?, mode?,
 * data?}`.
 */
export function isEndNotice(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && idOf(value.executionId) !== null && idOf(value.workflowId) !== null;
}

/**
 * An execution as reported by its own error workflow: the failure and its node; earlier nodes are not reported.
 * @param receivedAtMs Unix milliseconds, used if the error has no time
 */
export function decodeErrorNotice(value: JsonObject, receivedAtMs: number): Decoded {
  const execution = isJsonObject(value.execution) ? value.execution : objectOr(value.trigger);
  const workflow = objectOr(value.workflow);
  const error = objectOr(execution.error);
  const workflowId = idOf(workflow.id);
  if (workflowId === null) return { spans: [], rejections: [{ pointer: '/workflow/id', message: 'must be a text' }] };
  const endMs = timeOf(error.timestamp) ?? receivedAtMs;
  // A failing trigger starts no execution: its failures are distinguished by their time.
  const key = { workflowId, executionId: idOf(execution.id) ?? `trigger ${endMs}` };
  const startMs = Math.min(timeOf(objectOr(execution.executionContext).establishedAt) ?? endMs, endMs);
  const { name, type, failureSettings } = nodeOfError(error);
  const failed = readNodeError(error, (failureSettings?.attempts ?? 1) > 1, endMs);
  const node = name ?? textOrNull(execution.lastNodeExecuted);
  const root = rootSpan(key, workflow, failed, { startMs, endMs, mode: textOrNull(execution.mode) });
  const settings = failureSettings === null ? null : JSON.stringify(failureSettings);
  return {
    spans: node === null ? [root] : [root, failedNode(key, { node, type, settings }, failed, endMs)],
    rejections: [],
  };
}

function rootSpan(
  key: ExecutionKey,
  workflow: JsonObject,
  failed: NodeError,
  { startMs, endMs, mode }: { startMs: number; endMs: number; mode: string | null },
): Span {
  return makeSpan(
    key,
    'chain',
    {
      spanId: noticeSpanId(key, null),
      parentSpanId: null,
      name: textOrNull(workflow.name) ?? `workflow ${key.workflowId}`,
      startNs: msToNs(startMs),
      endNs: msToNs(endMs),
      status: failed.status,
    },
    {
      [MISSTEP.recordId]: key.executionId,
      [SOURCE]: 'notice',
      'n8n.workflow.id': key.workflowId,
      'n8n.mode': mode,
      'n8n.status': 'error',
      ...failed.attributes,
    },
  );
}

function failedNode(
  key: ExecutionKey,
  { node, type, settings }: { node: string; type: string; settings: string | null },
  failed: NodeError,
  endMs: number,
): Span {
  const kind = kindOfType(type);
  return makeSpan(
    key,
    kind,
    {
      spanId: noticeSpanId(key, node),
      parentSpanId: noticeSpanId(key, null),
      name: node,
      startNs: msToNs(endMs),
      endNs: msToNs(endMs),
      status: failed.status,
      events: failed.events,
    },
    {
      [SOURCE]: 'notice',
      'gen_ai.agent.name': kind === 'agent' ? node : null,
      'gen_ai.tool.name': kind === 'tool' ? node : null,
      'gen_ai.operation.name': kind === 'tool' ? 'execute_tool' : null,
      'graphruntime.node.name': node,
      'n8n.node.type': type || null,
      [MISSTEP.failureSettings]: settings,
      ...failed.attributes,
    },
  );
}

/** An execution as reported by its own last node: its result and, if that is a model's answer, its tokens. */
export function decodeEndNotice(value: JsonObject, receivedAtMs: number): Decoded {
  const workflowId = idOf(value.workflowId)!;
  const key = { workflowId, executionId: idOf(value.executionId)! };
  const data = value.data ?? null;
  const answered = isJsonObject(data) ? modelAnswer(data) : null;
  const failed = readNodeError(isJsonObject(data) ? errorIn(data) : null, false, receivedAtMs);
  const times = { startNs: msToNs(receivedAtMs), endNs: msToNs(receivedAtMs) };
  const root = makeSpan(
    key,
    'chain',
    {
      spanId: noticeSpanId(key, null),
      parentSpanId: null,
      name: textOrNull(value.workflowName) ?? `workflow ${workflowId}`,
      ...times,
      status: failed.status,
    },
    {
      [MISSTEP.recordId]: key.executionId,
      [SOURCE]: 'notice',
      // On the root, so that the model's own span, fetched later, is no duplicate.
      ...answered,
      'gen_ai.operation.name': null,
      'output.value': answered === null ? textOf(data) : null,
      'n8n.workflow.id': workflowId,
      'n8n.mode': textOrNull(value.mode),
      ...failed.attributes,
    },
  );
  return { spans: [root], rejections: [] };
}

/** A node that continues after its failure outputs `{error: …}`. */
function errorIn(data: JsonObject): JsonObject | null {
  const { error } = data;
  if (isJsonObject(error)) return error;
  return typeof error === 'string' && error !== '' ? { message: error } : null;
}
