import { EdgeTable, type GraphEdge, type GraphNode, newNode } from './graph-tables.ts';

export const MAX_NODES = 200;
export const MAX_EDGES = 1_000;

export interface BoundedGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  edges_left_out: number;
  note: string | null;
}

/** Joins the nodes with the fewest steps into one for each kind, and omits the rarest edges. */
export function withinBounds(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): BoundedGraph {
  const { shown, joined, placeOf } = joinRarest(nodes);
  const kept = frequentFirst(placeOf === null ? edges : moved(edges, placeOf));
  const leftOut = Math.max(0, kept.length - MAX_EDGES);
  const notes = [
    ...joined.map(({ kind, members }) => `${members} ${kind}s with the fewest steps are one node.`),
    ...(leftOut > 0 ? [`${leftOut} edges with the lowest counts are left out.`] : []),
  ];
  return {
    nodes: shown,
    edges: kept.slice(0, MAX_EDGES),
    edges_left_out: leftOut,
    note: notes.length === 0 ? null : notes.join(' '),
  };
}

interface Joined {
  shown: GraphNode[];
  joined: GraphNode[];
  /** Id of the group that holds a node; null if nodes are not grouped. */
  placeOf: ReadonlyMap<string, string> | null;
}

function joinRarest(nodes: readonly GraphNode[]): Joined {
  if (nodes.length <= MAX_NODES) return { shown: [...nodes], joined: [], placeOf: null };
  const bySteps = nodes.toSorted((one, other) => other.steps - one.steps);
  // Two places are reserved for the joined nodes.
  const own = new Set(bySteps.slice(0, MAX_NODES - 2));
  const joined = new Map<GraphNode['kind'], GraphNode>();
  const placeOf = new Map<string, string>();
  for (const node of nodes) {
    if (own.has(node)) placeOf.set(node.id, node.id);
    else placeOf.set(node.id, joinInto(joined, node).id);
  }
  const added = [...joined.values()];
  return { shown: [...nodes.filter((node) => own.has(node)), ...added], joined: added, placeOf };
}

function joinInto(joined: Map<GraphNode['kind'], GraphNode>, node: GraphNode): GraphNode {
  const known = joined.get(node.kind);
  const sum = known ?? { id: `${node.kind}s`, kind: node.kind, name: null, ...newNode(), members: 0 };
  if (!known) joined.set(node.kind, sum);
  sum.members += 1;
  sum.steps += node.steps;
  sum.errors += node.errors;
  sum.tokens += node.tokens;
  if (node.cost_usd !== null) sum.cost_usd = (sum.cost_usd ?? 0) + node.cost_usd;
  sum.first_step ??= node.first_step;
  return sum;
}

function moved(edges: readonly GraphEdge[], placeOf: ReadonlyMap<string, string>): GraphEdge[] {
  const table = new EdgeTable();
  for (const { from, to, kind, count, errors, first_step: step } of edges)
    table.add({ id: placeOf.get(from)! }, { id: placeOf.get(to)! }, kind, { step, isError: false, count, errors });
  return table.all();
}

function frequentFirst(edges: readonly GraphEdge[]): GraphEdge[] {
  return edges.toSorted((one, other) => other.count - one.count || one.first_step - other.first_step);
}
