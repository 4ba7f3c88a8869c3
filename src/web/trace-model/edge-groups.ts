interface Point {
  x: number;
  y: number;
}

/** Edges with the same appearance. */
export interface EdgeGroup<Kind> {
  kind: Kind;
  isOnCycle: boolean;
  /** Path data of all lines, and of all arrowheads. */
  lines: string;
  heads: string;
}

const HEAD_LENGTH = 8;
const HEAD_WIDTH = 8;

/** Groups edges by appearance, so that hundreds of edges need few elements. `lines` are in the order of the edges. */
export function edgeGroups<Edge extends { kind: string }>(
  edges: readonly Edge[],
  lines: readonly (readonly Point[])[],
  cycles: ReadonlySet<Edge>,
): EdgeGroup<Edge['kind']>[] {
  const groups = new Map<string, EdgeGroup<Edge['kind']>>();
  for (const [index, edge] of edges.entries()) {
    const isOnCycle = cycles.has(edge);
    const key = `${edge.kind} ${isOnCycle}`;
    const group = groups.get(key) ?? { kind: edge.kind, isOnCycle, lines: '', heads: '' };
    groups.set(key, group);
    const points = lines[index]!;
    group.lines += points.map(({ x, y }, point) => `${point === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    group.heads += arrowheadOf(points);
  }
  return [...groups.values()];
}

/** A triangle with its tip at the last point; empty for a line without a direction. */
function arrowheadOf(points: readonly Point[]): string {
  const tip = points.at(-1);
  const previous = points.findLast(({ x, y }) => x !== tip?.x || y !== tip?.y);
  if (tip === undefined || previous === undefined) return '';
  const length = Math.hypot(tip.x - previous.x, tip.y - previous.y);
  const [right, down] = [(tip.x - previous.x) / length, (tip.y - previous.y) / length];
  const base = { x: tip.x - right * HEAD_LENGTH, y: tip.y - down * HEAD_LENGTH };
  const half = HEAD_WIDTH / 2;
  const corners = [
    tip,
    { x: base.x - down * half, y: base.y + right * half },
    { x: base.x + down * half, y: base.y - right * half },
  ];
  return `M${corners.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
