import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Decoded } from '../../core/span.ts';
import { decodeExecution } from './decode-execution.ts';
import { decodeEndNotice, decodeErrorNotice, isEndNotice, isErrorNotice } from './decode-notice.ts';
import { isExecution } from './execution-shape.ts';

/** Whether a value was sent by n8n: an execution, a page of them, or a notice of one of its nodes. */
export function isN8n(value: Json | undefined): value is JsonObject {
  return isExecution(value) || isPage(value) || isErrorNotice(value) || isEndNotice(value);
}

/**
 * Executions of n8n as spans, one trace each. Ids are derived from those of workflow and execution, so that an execution
 * that is imported twice, or announced and then fetched, is one trace. Never throws.
 * @param receivedAtMs Unix milliseconds, for notices without a time
 */
export function decodeN8n(value: Json, receivedAtMs: number): Decoded {
  if (isPage(value)) return decodePage(value.data as Json[]);
  if (isExecution(value)) return decodeExecution(value);
  if (isErrorNotice(value)) return decodeErrorNotice(value, receivedAtMs);
  if (isEndNotice(value)) return decodeEndNotice(value, receivedAtMs);
  return {
    spans: [],
    rejections: [{ pointer: '', message: 'expected an execution of n8n, a page or a notice of one' }],
  };
}

/** `{data: [execution, …], nextCursor}`. */
function isPage(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && Array.isArray(value.data) && value.data.some(isExecution);
}

function decodePage(executions: readonly Json[]): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  for (const [at, execution] of executions.entries()) {
    const { spans, rejections } = decodeExecution(execution);
    for (const span of spans) decoded.spans.push(span);
    for (const { pointer, message } of rejections)
      decoded.rejections.push({ pointer: `/data/${at}${pointer}`, message });
  }
  return decoded;
}
