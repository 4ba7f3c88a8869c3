import type { LayoutRequest } from './layout-request.ts';

/** From top to bottom, or from left to right. */
export type Direction = 'TB' | 'LR';

/** A graph up to this width, in CSS pixels, is laid out from top to bottom. */
const MAX_VERTICAL_WIDTH = 1_600;
/** Space between two nodes of a level, and between two levels including an edge label. */
const NODE_GAP = 32;
const LEVEL_GAP = 90;

/**
 * The direction in which the graph is narrower, so that names stay readable and the page scrolls down only. A hundred
 * tools of one agent are laid out from left to right, a chain of a hundred agents from top to bottom.
 */
export function directionOf({ nodes, edges }: LayoutRequest): Direction {
  const levels = levelsOf(nodes, edges);
  const sizes = new Map<number, number>();
  for (const level of levels.values()) sizes.set(level, (sizes.get(level) ?? 0) + 1);
  const meanWidth = nodes.reduce((sum, { width }) => sum + width, 0) / Math.max(1, nodes.length);
  const topToBottom = Math.max(0, ...sizes.values()) * (meanWidth + NODE_GAP);
  const leftToRight = sizes.size * (meanWidth + LEVEL_GAP);
  return topToBottom > MAX_VERTICAL_WIDTH && leftToRight < topToBottom ? 'LR' : 'TB';
}

/** The distance of each node from the nodes without incoming edges; in a cycle, from its first node. */
function levelsOf(nodes: LayoutRequest['nodes'], edges: LayoutRequest['edges']): Map<string, number> {
  const successors = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const hasIncoming = new Set<string>();
  for (const { from, to } of edges) {
    if (from === to) continue;
    successors.get(from)?.push(to);
    hasIncoming.add(to);
  }
  const levels = new Map<string, number>();
  const visit = (starts: readonly string[]) => {
    const queue = starts.filter((id) => !levels.has(id));
    for (const id of queue) levels.set(id, 0);
    for (const id of queue)
      for (const to of successors.get(id) ?? [])
        if (!levels.has(to)) {
          levels.set(to, levels.get(id)! + 1);
          queue.push(to);
        }
  };
  visit(nodes.map(({ id }) => id).filter((id) => !hasIncoming.has(id)));
  for (const { id } of nodes) visit([id]);
  return levels;
}
