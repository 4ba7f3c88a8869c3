import { describe, expect, it } from 'vitest';
import { cycleEdges, drawnGraph, FULL_GRAPH_LIMITS, type GraphEdge } from './drawn-graph.ts';

const edge = (names: string, count = 1): GraphEdge => ({ from: names[0]!, to: names[1]!, count });
const cyclesOf = (...names: string[]) =>
  [...cycleEdges(names.map((each) => edge(each)))].map(({ from, to }) => from + to);

describe('cycleEdges', () => {
  it.each([
    { edges: ['ab', 'bc'], cycles: [] },
    { edges: ['ab', 'ba', 'bc'], cycles: ['ab', 'ba'] },
    { edges: ['aa', 'ab'], cycles: ['aa'] },
    { edges: ['ab', 'bc', 'ca', 'cd', 'de', 'ed'], cycles: ['ab', 'bc', 'ca', 'de', 'ed'] },
    { edges: ['ab', 'ac', 'bd', 'cd'], cycles: [] },
    { edges: [], cycles: [] },
  ])('$edges: $cycles', ({ edges, cycles }) => {
    expect(cyclesOf(...edges)).toEqual(cycles);
  });

  it('finds a cycle of 100,000 nodes', () => {
    const count = 100_000;
    const chain = Array.from({ length: count }, (_, index) => ({
      from: `${index}`,
      to: `${(index + 1) % count}`,
      count: 1,
    }));
    expect(cycleEdges(chain).size).toBe(count);
    expect(cycleEdges(chain.slice(1)).size).toBe(0);
  });
});

describe('drawnGraph', () => {
  it('keeps all of a small graph', () => {
    const nodes = [
      { id: 'a', steps: 1 },
      { id: 'b', steps: 9 },
    ];
    const edges = [edge('ab')];
    expect(drawnGraph(nodes, edges, FULL_GRAPH_LIMITS)).toEqual({
      nodes,
      edges,
      omittedNodeCount: 0,
      omittedEdgeCount: 0,
    });
  });

  it('keeps the busiest part of a large graph, in the order of the run', () => {
    const limits = { nodes: 60, edges: 80 };
    const nodes = Array.from({ length: limits.nodes + 5 }, (_, index) => ({ id: `${index}`, steps: index }));
    const last = nodes.at(-1)!.id;
    const edges = nodes.flatMap(({ id }) => [
      { from: id, to: last, count: Number(id) },
      { from: last, to: id, count: 1 },
    ]);
    const drawn = drawnGraph(nodes, edges, limits);
    expect(drawn.nodes.map(({ id }) => id)).toEqual(nodes.slice(5).map(({ id }) => id));
    expect(drawn.edges).toHaveLength(limits.edges);
    expect(drawn.edges[0]).toEqual({ from: last, to: last, count: Number(last) });
    expect(drawn).toMatchObject({ omittedNodeCount: 5, omittedEdgeCount: edges.length - limits.edges });
  });
});
