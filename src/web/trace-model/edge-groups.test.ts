import { expect, it } from 'vitest';
import { edgeGroups } from './edge-groups.ts';

const down = [
  { x: 0, y: 0 },
  { x: 0, y: 20 },
];

it('groups edges by kind and cycle, with an arrowhead at the end of each edge', () => {
  const edges = [{ kind: 'call' }, { kind: 'handoff' }, { kind: 'call' }, { kind: 'call' }];
  const right = [
    { x: 5, y: 5 },
    { x: 25, y: 5 },
  ];
  const groups = edgeGroups(edges, [down, down, right, down], new Set([edges[3]!]));
  expect(groups).toEqual([
    { kind: 'call', isOnCycle: false, lines: 'M0 0L0 20M5 5L25 5', heads: 'M0 20L-4 12L4 12ZM25 5L17 9L17 1Z' },
    { kind: 'handoff', isOnCycle: false, lines: 'M0 0L0 20', heads: 'M0 20L-4 12L4 12Z' },
    { kind: 'call', isOnCycle: true, lines: 'M0 0L0 20', heads: 'M0 20L-4 12L4 12Z' },
  ]);
});

it.each([
  ['no points', []],
  ['one point', [{ x: 1, y: 1 }]],
  [
    'the same point twice',
    [
      { x: 1, y: 1 },
      { x: 1, y: 1 },
    ],
  ],
])('a line with %s has no arrowhead', (_name, points) => {
  expect(edgeGroups([{ kind: 'call' }], [points], new Set())[0]!.heads).toBe('');
});
