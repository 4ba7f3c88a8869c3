import { expect, test } from 'vitest';
import { runText } from './run-text.ts';

const RUN = { title: null, name: 'guide', task: 'Find the opening hours.' };

test.each<[string, Parameters<typeof runText>, string]>([
  [
    'a run with a task',
    [{ agent_id: 'guide', agent_kind: 'agent', step: 4 }, RUN],
    'guide, step 4 · Find the opening hours.',
  ],
  [
    'a run without a task',
    [
      { agent_id: 'guide', agent_kind: 'agent', step: 4 },
      { ...RUN, task: null },
    ],
    'guide, step 4 · guide',
  ],
  [
    'a run with a title',
    [
      { agent_id: 'guide', agent_kind: 'agent', step: 0 },
      { ...RUN, task: null, title: 'City guide' },
    ],
    'guide, step 0 · City guide',
  ],
  ['a node', [{ agent_id: 'shipping', agent_kind: 'node', step: 4 }, undefined], 'node shipping, step 4'],
  ['no agent', [{ agent_id: null, agent_kind: null, step: 4 }, RUN], 'step 4 · Find the opening hours.'],
  ['no step', [{ agent_id: null, agent_kind: null, step: null }, RUN], 'the run as a whole · Find the opening hours.'],
  ['a run that is not loaded', [{ agent_id: 'guide', agent_kind: 'agent', step: 4 }, undefined], 'guide, step 4'],
])('%s', (_case, args, expected) => expect(runText(...args)).toBe(expected));
