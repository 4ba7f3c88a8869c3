import { expect, test } from 'vitest';
import { graphLegend, uncountedSteps } from './graph-legend.ts';

const CALL = { kind: 'call' };
const HANDOFF = { kind: 'handoff' };

test.each<[string, { errors: number }[], { kind: string }[], number, string]>([
  ['no marks', [{ errors: 0 }], [CALL], 0, ''],
  ['a cycle', [{ errors: 0 }], [CALL], 1, 'Thick arrows are part of a cycle.'],
  ['a handoff', [{ errors: 0 }], [CALL, HANDOFF], 0, 'Dashed arrows are handoffs.'],
  ['failed steps', [{ errors: 2 }], [], 0, 'A box with a dashed outline had failed steps.'],
  [
    'all marks',
    [{ errors: 2 }],
    [HANDOFF],
    2,
    'Thick arrows are part of a cycle. Dashed arrows are handoffs. A box with a dashed outline had failed steps.',
  ],
])('explains %s', (_case, nodes, edges, cycleCount, expected) =>
  expect(graphLegend(nodes, edges, cycleCount)).toBe(expected),
);

test.each<[string, { kind: string; steps: number }[], number, string | null]>([
  [
    'steps without an agent',
    [
      { kind: 'agent', steps: 1 },
      { kind: 'agent', steps: 1 },
    ],
    5,
    '3 other steps are in no row: they name neither an agent nor a tool, like the step of the run itself.',
  ],
  [
    'a tool call of an agent, which is in two rows',
    [
      { kind: 'agent', steps: 4 },
      { kind: 'tool', steps: 3 },
    ],
    5,
    '1 other step is in no row: it names neither an agent nor a tool, like the step of the run itself.',
  ],
  ['rows with all steps', [{ kind: 'agent', steps: 5 }], 5, null],
])('counts %s', (_case, nodes, total, expected) => expect(uncountedSteps(nodes, total)).toBe(expected));
