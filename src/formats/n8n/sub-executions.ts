import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { SpanLink } from '../../core/span.ts';
import { type ExecutionKey, executionRootId, executionTraceId } from './execution-span.ts';
import { idOf, objectOr } from './json-fields.ts';

/** Number of items to examine; a node may start one execution for each. */
const MAX_ITEMS = 200;
const MAX_LINKS = 50;

/** `{executionId, workflowId}`. */
export function executionKeyOf(value: Json | undefined): ExecutionKey | null {
  const { executionId, workflowId } = objectOr(value);
  const key = { executionId: idOf(executionId), workflowId: idOf(workflowId) };
  return key.executionId === null || key.workflowId === null ? null : (key as ExecutionKey);
}

/**
 * Executions that a node run started: named on the run, or for a failed item only on the item. Later nodes pass on the item
 * with that name.
 * @param type of the node
 */
export function subExecutionsOf(run: JsonObject, type: string): ExecutionKey[] {
  const outputs = objectOr(run.data).main;
  const items = (Array.isArray(outputs) ? outputs : []).flatMap((list) =>
    Array.isArray(list) ? list.slice(0, MAX_ITEMS) : [],
  );
  const named = [run, ...(/workflow$/i.test(type) ? items : [])].map((one) =>
    isJsonObject(one) ? executionKeyOf(objectOr(one.metadata).subExecution) : null,
  );
  const keys = named.filter((key) => key !== null);
  return [...new Map(keys.map((key) => [key.executionId, key])).values()].slice(0, MAX_LINKS);
}

/** @param kind `sub_execution`, `parent_execution` or `failed_execution` */
export function executionLink(key: ExecutionKey, kind: string): SpanLink {
  return { traceId: executionTraceId(key), spanId: executionRootId(key), attributes: { 'n8n.link': kind } };
}
