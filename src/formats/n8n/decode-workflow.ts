import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { decodeExecution } from './decode-execution.ts';
import { idOf } from './json-fields.ts';

/** Whether a value is a workflow of n8n as its API lists it. */
export function isWorkflow(value: Json | undefined): value is JsonObject {
  return (
    isJsonObject(value) && idOf(value.id) !== null && Array.isArray(value.nodes) && isJsonObject(value.connections)
  );
}

/** A workflow as a trace in which nothing ran: one span that contains its drawing. Null if it is none. */
export function decodeWorkflow(value: Json): Span[] | null {
  if (!isWorkflow(value)) return null;
  const nothing = { id: 'definition', mode: 'manual', status: 'success', startedAt: 1, stoppedAt: 1 };
  return decodeExecution({ ...nothing, workflowId: value.id!, workflowData: value }).spans;
}
