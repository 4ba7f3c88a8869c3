import { describe, expect, it } from 'vitest';
import { layoutGraph } from './layout.ts';

const size = { width: 100, height: 28 };
const label = { width: 20, height: 16 };
const node = (id: string) => ({ id, ...size });
const edge = (names: string) => ({ from: names[0]!, to: names[1]!, label });

describe('layoutGraph', () => {
  it('places callers above callees, and everything inside the drawing', () => {
    const { nodes, edges, width, height } = layoutGraph({
      nodes: ['a', 'b', 'c'].map(node),
      edges: ['ab', 'ac', 'ab'].map(edge),
    });
    const [a, b, c] = nodes;
    expect(a!.y).toBeLessThan(b!.y);
    expect(b!.y).toBe(c!.y);
    expect(Math.abs(b!.x - c!.x)).toBeGreaterThanOrEqual(size.width);
    expect(edges.map(({ points }) => points.length >= 2)).toEqual([true, true, true]);
    for (const { x, y } of [...nodes, ...edges.flatMap(({ points, label: position }) => [...points, position])]) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(height);
    }
  });

  it('places cycles, self-loops and nodes without edges', () => {
    const { nodes, edges } = layoutGraph({ nodes: ['a', 'b', 'z'].map(node), edges: ['ab', 'ba', 'aa'].map(edge) });
    expect(nodes).toHaveLength(3);
    expect(edges).toHaveLength(3);
    expect(edges.flatMap(({ points }) => points).every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(
      true,
    );
  });

  it('places nodes whose ids are names of object members', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const { nodes } = layoutGraph({
      nodes: names.map(node),
      edges: [{ from: '__proto__', to: 'constructor', label }],
    });
    expect(nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it('throws on an edge to an unknown node', () => {
    expect(() => layoutGraph({ nodes: [node('a')], edges: [edge('ab')] })).toThrow('edge to b: no such node');
  });
});
