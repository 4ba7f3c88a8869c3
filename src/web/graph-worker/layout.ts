import { Graph, layout } from '@dagrejs/dagre';
import { directionOf } from './layout-direction.ts';
import type { LayoutRequest } from './layout-request.ts';

interface Point {
  x: number;
  y: number;
}

/** Positions in CSS pixels, in the order of the request. */
export interface GraphLayout {
  width: number;
  height: number;
  /** Centres of the boxes. */
  nodes: Point[];
  edges: { points: Point[]; label: Point }[];
}

const MARGIN = 16;
/** Boxes are wider than high, so they need larger gaps side by side than above each other. */
const GAPS = { TB: { nodesep: 32, edgesep: 20, ranksep: 40 }, LR: { nodesep: 12, edgesep: 8, ranksep: 40 } };

/** A layered layout. @throws if an end of an edge is not among the nodes */
export function layoutGraph(request: LayoutRequest): GraphLayout {
  const { nodes, edges } = request;
  const graph = new Graph({ multigraph: true });
  const rankdir = directionOf(request);
  graph.setGraph({ rankdir, ...GAPS[rankdir], marginx: MARGIN, marginy: MARGIN });
  // Ids come from traces, and the library stores nodes as object members: `__proto__` would break it.
  const keys = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const keyOf = (id: string) => {
    const key = keys.get(id);
    if (key === undefined) throw new Error(`edge to ${id}: no such node`);
    return key;
  };
  for (const { id, width, height } of nodes) graph.setNode(keyOf(id), { width, height });
  for (const [index, { from, to, label }] of edges.entries())
    graph.setEdge(keyOf(from), keyOf(to), { ...label, labelpos: 'c' }, String(index));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map(({ id }) => toPoint(graph.node(keyOf(id)))),
    edges: edges.map(({ from, to }, index) => {
      const edge = graph.edge(keyOf(from), keyOf(to), String(index)) as Point & { points: Point[] };
      return { points: edge.points.map(toPoint), label: toPoint(edge) };
    }),
  };
}

function toPoint({ x, y }: Point): Point {
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
}
