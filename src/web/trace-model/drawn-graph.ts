/** The members of an edge that the drawing needs. */
export interface GraphEdge {
  from: string;
  to: string;
  count: number;
}

/** The drawn nodes and edges, and the numbers of those that only the tables list. */
export interface DrawnGraph<Node, Edge> {
  nodes: Node[];
  edges: Edge[];
  omittedNodeCount: number;
  omittedEdgeCount: number;
}

/** Maximum size of a drawing. */
export interface DrawingLimits {
  nodes: number;
  edges: number;
}

/** As many elements as the page can hold, and as many edges as most machines can lay out in time. */
export const FULL_GRAPH_LIMITS: DrawingLimits = { nodes: 200, edges: 300 };
/** A size that any machine can lay out in time. */
export const REDUCED_LIMITS: DrawingLimits = { nodes: 60, edges: 80 };

/** Limits a graph to the nodes with the most steps and the most frequent edges between them. Nodes keep their order. */
export function drawnGraph<Node extends { id: string; steps: number }, Edge extends GraphEdge>(
  nodes: readonly Node[],
  edges: readonly Edge[],
  limits: DrawingLimits,
): DrawnGraph<Node, Edge> {
  const busiest = new Set(nodes.toSorted((a, b) => b.steps - a.steps).slice(0, limits.nodes));
  const keptNodes = nodes.filter((node) => busiest.has(node));
  const ids = new Set(keptNodes.map(({ id }) => id));
  const keptEdges = edges
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limits.edges);
  return {
    nodes: keptNodes,
    edges: keptEdges,
    omittedNodeCount: nodes.length - keptNodes.length,
    omittedEdgeCount: edges.length - keptEdges.length,
  };
}

/**
 * The edges of cycles: both ends are in the same strongly connected component, or are the same node. The components are
 * computed with Tarjan's algorithm (SIAM J. Comput. 1(2), 1972), without recursion.
 */
export function cycleEdges<Edge extends GraphEdge>(edges: readonly Edge[]): Set<Edge> {
  const component = componentsOf(edges);
  return new Set(edges.filter(({ from, to }) => component.get(from) === component.get(to)));
}

function componentsOf(edges: readonly GraphEdge[]): Map<string, number> {
  const successors = new Map<string, string[]>();
  for (const { from, to } of edges) {
    successors.set(from, [...(successors.get(from) ?? []), to]);
    if (!successors.has(to)) successors.set(to, []);
  }
  const order = new Map<string, number>();
  const lowLinks = new Map<string, number>();
  const component = new Map<string, number>();
  const stack: string[] = [];
  let components = 0;
  const updateLowLink = (node: string, value: number) => lowLinks.set(node, Math.min(lowLinks.get(node)!, value));

  for (const root of successors.keys()) {
    if (order.has(root)) continue;
    const path = [visit(root)];
    while (path.length > 0) {
      const { node, targets } = path.at(-1)!;
      const target = targets.pop();
      if (target === undefined) {
        path.pop();
        if (path.length > 0) updateLowLink(path.at(-1)!.node, lowLinks.get(node)!);
        if (lowLinks.get(node) === order.get(node)) closeComponent(node);
      } else if (!order.has(target)) path.push(visit(target));
      else if (!component.has(target)) updateLowLink(node, order.get(target)!);
    }
  }
  return component;

  function visit(node: string) {
    order.set(node, order.size);
    lowLinks.set(node, order.get(node)!);
    stack.push(node);
    return { node, targets: [...successors.get(node)!] };
  }

  function closeComponent(node: string): void {
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      component.set(member, components);
      if (member === node) break;
    }
    components += 1;
  }
}
