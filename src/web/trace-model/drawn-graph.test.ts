import { describe, expect, it } from 'vitest';
import { cycleEdges, drawnGraph, type GraphEdge, WHOLE_GRAPH } from './drawn-graph.ts';

const edge = (names: string, count = 1): GraphEdge => ({ from: names[0]!, to: names[1]!, count });
const cyclesOf = (...names: string[]) =>
  [...cycleEdges(names.map((each) => edge(each)))].map(({ from, to }) => from + to);

describe('edges on a cycle', () => {
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

  it('are found in a chain of 100,000 nodes that ends where it began', () => {
    const count = 100_000;
    const chain = Array.from({ length: count }, (_, at) => ({ from: `${at}`, to: `${(at + 1) % count}`, count: 1 }));
    expect(cycleEdges(chain).size).toBe(count);
    expect(cycleEdges(chain.slice(1)).size).toBe(0);
  });
});

describe('what is drawn', () => {
  it('is everything in a small graph', () => {
    const nodes = [
      { id: 'a', steps: 1 },
      { id: 'b', steps: 9 },
    ];
    const edges = [edge('ab')];
    expect(drawnGraph(nodes, edges, WHOLE_GRAPH)).toEqual({ nodes, edges, nodesLeftOut: 0, edgesLeftOut: 0 });
  });

  it('is the busiest part of a large one, in the order of the run', () => {
    const limits = { nodes: 60, edges: 80 };
    const nodes = Array.from({ length: limits.nodes + 5 }, (_, at) => ({ id: `${at}`, steps: at }));
    const last = nodes.at(-1)!.id;
    const edges = nodes.flatMap(({ id }) => [
      { from: id, to: last, count: Number(id) },
      { from: last, to: id, count: 1 },
    ]);
    const drawn = drawnGraph(nodes, edges, limits);
    expect(drawn.nodes.map(({ id }) => id)).toEqual(nodes.slice(5).map(({ id }) => id));
    expect(drawn.edges).toHaveLength(limits.edges);
    expect(drawn.edges[0]).toEqual({ from: last, to: last, count: Number(last) });
    expect(drawn).toMatchObject({ nodesLeftOut: 5, edgesLeftOut: edges.length - limits.edges });
  });
});
