import type { LayoutRequest } from './layout-request.ts';

/** From top to bottom, or from left to right. */
export type Direction = 'TB' | 'LR';

/** A drawing that is not wider than this, in CSS pixels, goes from top to bottom. */
const WIDE = 1_600;
/** Space between two nodes of a level, and between two levels with the label of an edge between them. */
const BESIDE = 32;
const BETWEEN = 90;

/**
 * The direction in which the drawing is less wide: its names stay readable where the page scrolls down. A hundred tools
 * of one agent go from left to right, a hundred agents one after the other from top to bottom.
 */
export function directionOf({ nodes, edges }: LayoutRequest): Direction {
  const levels = levelsOf(nodes, edges);
  const sizes = new Map<number, number>();
  for (const level of levels.values()) sizes.set(level, (sizes.get(level) ?? 0) + 1);
  const mean = nodes.reduce((sum, { width }) => sum + width, 0) / Math.max(1, nodes.length);
  const topToBottom = Math.max(0, ...sizes.values()) * (mean + BESIDE);
  const leftToRight = sizes.size * (mean + BETWEEN);
  return topToBottom > WIDE && leftToRight < topToBottom ? 'LR' : 'TB';
}

/** How many edges each node is away from a node that no edge leads to; in a cycle, from its first node. */
function levelsOf(nodes: LayoutRequest['nodes'], edges: LayoutRequest['edges']): Map<string, number> {
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const isLedTo = new Set<string>();
  for (const { from, to } of edges) {
    if (from === to) continue;
    next.get(from)?.push(to);
    isLedTo.add(to);
  }
  const levels = new Map<string, number>();
  const visit = (starts: readonly string[]) => {
    const queue = starts.filter((id) => !levels.has(id));
    for (const id of queue) levels.set(id, 0);
    for (const id of queue)
      for (const to of next.get(id) ?? [])
        if (!levels.has(to)) {
          levels.set(to, levels.get(id)! + 1);
          queue.push(to);
        }
  };
  visit(nodes.map(({ id }) => id).filter((id) => !isLedTo.has(id)));
  for (const { id } of nodes) visit([id]);
  return levels;
}
