import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { numberIn, objectIn, textIn } from './run-shape.ts';
import { makeSpan, runSpanId, statusOf, textOf, timesOf } from './run-span.ts';

const ENDED = new Set(['succeeded', 'failed', 'stopped', 'partial-succeeded', 'exception']);

/** The run, from its start event, its end event, or a summary of both. */
export function workflowSpan(
  runId: string,
  data: JsonObject,
  { sessionId, isBeginning }: { sessionId: string | null; isBeginning: boolean },
): Span {
  const status = textIn(data, 'status');
  const hasEnded = !isBeginning && (status === null || ENDED.has(status));
  return makeSpan(
    runId,
    {
      spanId: runSpanId(runId),
      parentSpanId: null,
      kind: 'chain',
      name: textIn(data, 'name') ?? 'dify workflow',
      ...timesOf(data, hasEnded),
      status: statusOf(data),
    },
    {
      [MISSTEP.recordId]: runId,
      [MISSTEP.sessionId]: sessionId,
      ...inputsOf(data),
      'output.value': answerOf(data.outputs),
      'gen_ai.usage.total_tokens': numberIn(data, 'total_tokens') || null,
      'graphruntime.graph': graphOf(objectIn(data, 'graph')),
      'dify.workflow.id': textIn(data, 'workflow_id'),
      'dify.status': status,
      'dify.exceptions_count': numberIn(data, 'exceptions_count') || null,
    },
  );
}

/** The input of the run; `sys.query` is a chat's question, the other `sys.` keys are Dify's own. */
export function inputsOf(data: JsonObject): Record<string, Json> {
  const inputs = objectIn(data, 'inputs');
  const own = Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith('sys.')));
  return {
    [MISSTEP.task]: textIn(inputs, 'sys.query'),
    'input.value': Object.keys(own).length === 0 ? null : JSON.stringify(own),
  };
}

/** The answer of a chat flow is under `answer`; if a workflow has only one output, that is the answer. */
function answerOf(outputs: Json | undefined): string | null {
  if (!isJsonObject(outputs)) return textOf(outputs);
  const values = Object.values(outputs);
  if (values.length === 0) return null;
  const only = textIn(outputs, 'answer') ?? (values.length === 1 ? values[0] : undefined);
  return typeof only === 'string' ? only : JSON.stringify(outputs);
}

/** `{nodes: [{id, data: {type, title}}], edges: [{source, target}]}`; nodes are named by their titles, as in the run. */
function graphOf(graph: JsonObject): string | null {
  const nodes = (Array.isArray(graph.nodes) ? graph.nodes : []).filter(isJsonObject);
  if (nodes.length === 0 || !Array.isArray(graph.edges)) return null;
  const nameOf = new Map(nodes.map((node) => [node.id, textIn(objectIn(node, 'data'), 'title') ?? String(node.id)]));
  const edges = graph.edges.filter(isJsonObject).flatMap(({ source, target }) => {
    const from = nameOf.get(source);
    const to = nameOf.get(target);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  const declared = nodes.map((node) => {
    const type = textIn(objectIn(node, 'data'), 'type') ?? '';
    const isEntry = type === 'start' || type.startsWith('trigger');
    return { name: nameOf.get(node.id), type, isEntry, ...(type === 'loop' ? { hasExit: hasExit(node, nodes) } : {}) };
  });
  return JSON.stringify({ nodes: declared, edges });
}

/** Whether a loop can end early, by its conditions or by an exit node inside it. */
function hasExit(loop: JsonObject, nodes: readonly JsonObject[]): boolean {
  const conditions = objectIn(loop, 'data').break_conditions;
  if (Array.isArray(conditions) && conditions.length > 0) return true;
  return nodes.some((node) => {
    const data = objectIn(node, 'data');
    return data.type === 'loop-end' && (data.loop_id === loop.id || node.parentId === loop.id);
  });
}
