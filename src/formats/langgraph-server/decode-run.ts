import { PLACEHOLDER_ERROR, writtenError } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded, SpanStatus } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { readTimestampNs } from '../trail/iso-time.ts';
import { errorOf, jsonOf, makeSpan, runSpanId, runTraceId } from './run-span.ts';

const STATUSES: readonly Json[] = ['pending', 'running', 'success', 'error', 'timeout', 'interrupted'];

/** Whether a value looks like a run of a LangGraph server: its REST object, or the body of its completion webhook. */
export function isServerRun(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return typeof value.run_id === 'string' && 'assistant_id' in value && STATUSES.includes(value.status ?? null);
}

/**
 * A run as one span that represents the whole; its nodes are in the thread's history. The webhook address is omitted
 * because it may contain a token.
 */
export function decodeServerRun(value: Json): Decoded {
  const runId = isServerRun(value) ? textOf(value.run_id) : null;
  if (!isServerRun(value) || runId === null || runId.length > 128)
    return rejection('run_id, assistant_id and status are needed');
  const startNs = timeNs(value.run_started_at) ?? timeNs(value.created_at);
  if (startNs === null) return rejection('created_at must be an RFC 3339 time');
  const hasEnded = value.status !== 'pending' && value.status !== 'running';
  const traceId = runTraceId(runId);
  const kwargs = isJsonObject(value.kwargs) ? value.kwargs : {};
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  const failure = failureOf(value);
  const span = makeSpan({
    traceId,
    spanId: runSpanId(traceId),
    parentSpanId: null,
    name: textOf(metadata.graph_id) ?? 'LangGraph',
    startNs,
    endNs: hasEnded ? (timeNs(value.run_ended_at) ?? timeNs(value.updated_at) ?? startNs) : null,
    status: failure.status,
    attributes: {
      [MISSTEP.stepKind]: 'chain',
      [MISSTEP.framework]: 'langgraph',
      'langgraph.run_id': runId,
      'langgraph.thread_id': textOf(value.thread_id),
      'langgraph.assistant_id': textOf(value.assistant_id),
      'langgraph.run.status': value.status ?? null,
      'langgraph.run.temporary': kwargs.temporary === true ? true : null,
      'input.value': jsonOf(kwargs.input),
      'output.value': failure.status.code === 2 ? null : jsonOf(value.values),
      'langgraph.state': jsonOf(value.values),
      'error.type': failure.type,
    },
  });
  return { spans: [span], rejections: [] };
}

/** A timeout has no error text of its own. */
function failureOf(run: JsonObject): { status: SpanStatus; type: string | null } {
  if (run.status === 'timeout') return { status: { code: 2, message: writtenError('runTimeout') }, type: 'timeout' };
  if (run.status !== 'error') return { status: { code: run.status === 'success' ? 1 : 0, message: '' }, type: null };
  // The REST object only reports that the run failed; the webhook contains the reason.
  return errorOf(run.error ?? PLACEHOLDER_ERROR.server);
}

function timeNs(value: Json | undefined): bigint | null {
  return readTimestampNs(textOf(value) ?? '');
}

function rejection(message: string): Decoded {
  return { spans: [], rejections: [{ pointer: '', message }] };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
