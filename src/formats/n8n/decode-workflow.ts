import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { decodeExecution } from './decode-execution.ts';
import { idOf } from './json-fields.ts';

/** Whether a value is a workflow in the format of n8n's API. */
export function isWorkflow(value: Json | undefined): value is JsonObject {
  return (
    isJsonObject(value) && idOf(value.id) !== null && Array.isArray(value.nodes) && isJsonObject(value.connections)
  );
}

/** A workflow as a trace without node runs: one span with its declared graph. Null if it is not a workflow. */
export function decodeWorkflow(value: Json): Span[] | null {
  if (!isWorkflow(value)) return null;
  const nothing = { id: 'definition', mode: 'manual', status: 'success', startedAt: 1, stoppedAt: 1 };
  return decodeExecution({ ...nothing, workflowId: value.id!, workflowData: value }).spans;
}
