/** An edge of the graph of a trace, as far as the drawing needs it. */
export interface GraphEdge {
  from: string;
  to: string;
  count: number;
}

/** What is drawn, and how many nodes and edges are only in the tables. */
export interface DrawnGraph<Node, Edge> {
  nodes: Node[];
  edges: Edge[];
  nodesLeftOut: number;
  edgesLeftOut: number;
}

/** The most that one drawing holds. */
export interface DrawingLimits {
  nodes: number;
  edges: number;
}

/** As many elements as the page can hold, and as many edges as are laid out in time on most machines. */
export const WHOLE_GRAPH: DrawingLimits = { nodes: 200, edges: 300 };
/** Laid out in time on any machine. */
export const BUSIEST_PART: DrawingLimits = { nodes: 60, edges: 80 };

/** The nodes with the most steps, and the most frequent edges between them. Nodes keep their order. */
export function drawnGraph<Node extends { id: string; steps: number }, Edge extends GraphEdge>(
  nodes: readonly Node[],
  edges: readonly Edge[],
  limits: DrawingLimits,
): DrawnGraph<Node, Edge> {
  const busiest = new Set(nodes.toSorted((one, other) => other.steps - one.steps).slice(0, limits.nodes));
  const shown = nodes.filter((node) => busiest.has(node));
  const ids = new Set(shown.map(({ id }) => id));
  const drawn = edges
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, limits.edges);
  return {
    nodes: shown,
    edges: drawn,
    nodesLeftOut: nodes.length - shown.length,
    edgesLeftOut: edges.length - drawn.length,
  };
}

/**
 * Edges that lie on a cycle: both ends are in the same strongly connected component, or are the same node. Components by
 * Tarjan's algorithm (SIAM J. Comput. 1(2), 1972), without recursion.
 */
export function cycleEdges<Edge extends GraphEdge>(edges: readonly Edge[]): Set<Edge> {
  const component = componentsOf(edges);
  return new Set(edges.filter(({ from, to }) => component.get(from) === component.get(to)));
}

function componentsOf(edges: readonly GraphEdge[]): Map<string, number> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    next.set(from, [...(next.get(from) ?? []), to]);
    if (!next.has(to)) next.set(to, []);
  }
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const component = new Map<string, number>();
  const open: string[] = [];
  let components = 0;
  const lower = (node: string, value: number) => lowest.set(node, Math.min(lowest.get(node)!, value));

  for (const root of next.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    while (path.length > 0) {
      const { node, targets } = path.at(-1)!;
      const target = targets.pop();
      if (target === undefined) {
        path.pop();
        if (path.length > 0) lower(path.at(-1)!.node, lowest.get(node)!);
        if (lowest.get(node) === order.get(node)) close(node);
      } else if (!order.has(target)) path.push(enter(target));
      else if (!component.has(target)) lower(node, order.get(target)!);
    }
  }
  return component;

  function enter(node: string) {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    return { node, targets: [...next.get(node)!] };
  }

  function close(node: string): void {
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      component.set(member, components);
      if (member === node) break;
    }
    components += 1;
  }
}
