import type { WorkflowGraph } from '../../core/trace.ts';
import type { Execution } from './execution-shape.ts';
import { isEntryType } from './node-kind.ts';

/**
 * The workflow as it was drawn; edges of every kind, so that models and tools lead to the agent they hang on. Null where
 * an edge names a node that is not there, or several nodes have no edge at all: what such a drawing connects cannot be told.
 */
export function declaredGraph({ nodes, connections }: Execution): WorkflowGraph | null {
  const edges = [...connections].flatMap(([from, list]) => list.map(({ to }) => ({ from, to })));
  if (edges.length === 0 && nodes.size !== 1) return null;
  if (edges.some(({ from, to }) => !nodes.has(from) || !nodes.has(to))) return null;
  const targets = new Set(edges.map(({ to }) => to));
  return {
    nodes: [...nodes.values()].map(({ name, type, isDisabled }) => ({
      name,
      type,
      // What is switched off at its beginning is so by intent, and no fault of the drawing.
      isEntry: isEntryType(type) || (isDisabled && !targets.has(name)),
    })),
    edges,
  };
}
