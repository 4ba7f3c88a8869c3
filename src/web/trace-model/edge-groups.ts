interface Point {
  x: number;
  y: number;
}

/** Edges that look the same. */
export interface EdgeGroup<Kind> {
  kind: Kind;
  isOnCycle: boolean;
  /** Path data of all lines, and of all heads of arrows. */
  lines: string;
  heads: string;
}

const HEAD_LENGTH = 8;
const HEAD_WIDTH = 8;

/** Joins edges by look: a drawing of hundreds of edges has few elements. `lines` are in the order of the edges. */
export function edgeGroups<Edge extends { kind: string }>(
  edges: readonly Edge[],
  lines: readonly (readonly Point[])[],
  cycles: ReadonlySet<Edge>,
): EdgeGroup<Edge['kind']>[] {
  const groups = new Map<string, EdgeGroup<Edge['kind']>>();
  for (const [at, edge] of edges.entries()) {
    const isOnCycle = cycles.has(edge);
    const look = `${edge.kind} ${isOnCycle}`;
    const group = groups.get(look) ?? { kind: edge.kind, isOnCycle, lines: '', heads: '' };
    groups.set(look, group);
    const points = lines[at]!;
    group.lines += points.map(({ x, y }, point) => `${point === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    group.heads += headOf(points);
  }
  return [...groups.values()];
}

/** A triangle whose tip is the last point. Nothing where a line has no direction. */
function headOf(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.findLast(({ x, y }) => x !== tip?.x || y !== tip?.y);
  if (tip === undefined || before === undefined) return '';
  const length = Math.hypot(tip.x - before.x, tip.y - before.y);
  const [right, down] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const foot = { x: tip.x - right * HEAD_LENGTH, y: tip.y - down * HEAD_LENGTH };
  const half = HEAD_WIDTH / 2;
  const corners = [
    tip,
    { x: foot.x - down * half, y: foot.y + right * half },
    { x: foot.x + down * half, y: foot.y - right * half },
  ];
  return `M${corners.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join('L')}Z`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
