import { expect, it } from 'vitest';
import { layoutGraph } from './layout.ts';
import { directionOf } from './layout-direction.ts';
import type { LayoutRequest } from './layout-request.ts';

const label = { width: 20, height: 16 };

function graph(count: number, pairs: [from: number, to: number][]): LayoutRequest {
  return {
    nodes: Array.from({ length: count }, (_, index) => ({ id: `${index}`, width: 140, height: 30 })),
    edges: pairs.map(([from, to]) => ({ from: `${from}`, to: `${to}`, label })),
  };
}
const each = (count: number, pairOf: (index: number) => [number, number]) =>
  Array.from({ length: count }, (_, index) => pairOf(index));

it.each([
  [
    'a caller with three tools',
    graph(
      4,
      each(3, (index) => [0, index + 1]),
    ),
    'TB',
  ],
  [
    'a caller with 199 tools',
    graph(
      200,
      each(199, (index) => [0, index + 1]),
    ),
    'LR',
  ],
  [
    'a chain of 200',
    graph(
      200,
      each(199, (index) => [index, index + 1]),
    ),
    'TB',
  ],
  [
    'a ring of 200',
    graph(
      200,
      each(200, (index) => [index, (index + 1) % 200]),
    ),
    'TB',
  ],
  [
    '200 nodes that only call themselves',
    graph(
      200,
      each(200, (index) => [index, index]),
    ),
    'LR',
  ],
  ['an empty graph', graph(0, []), 'TB'],
] as const)('the direction of %s', (_name, request, expected) => {
  expect(directionOf(request)).toBe(expected);
  expect(layoutGraph(request).width).toBeLessThan(1_600);
});
